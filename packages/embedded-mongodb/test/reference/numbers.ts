import { Decimal128, Double, Int32, Long, type NumericValue } from '../../src/bson/document.ts';

/** The finite number ±digits × 10^exponent. */
export interface Finite {
  isNegative: boolean;
  digits: bigint;
  exponent: number;
}

/** A number without a type, as it is: every int, long, double and decimal can be written so. */
export type Exact = Finite | 'NaN' | 'Infinity' | '-Infinity';

const DECIMAL_DIGITS = 34;
const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;

export const isFiniteNumber = (exact: Exact): exact is Finite => typeof exact === 'object';
export const isZero = (exact: Exact): boolean => isFiniteNumber(exact) && exact.digits === 0n;
const isNegative = (exact: Exact): boolean =>
  isFiniteNumber(exact) ? exact.isNegative : exact === '-Infinity';
export const power10 = (exponent: number): bigint => 10n ** BigInt(exponent);
const countDigits = (digits: bigint): number => (digits === 0n ? 0 : digits.toString().length);

export function isNumber(value: unknown): value is NumericValue {
  if (value instanceof Long) return value._bsontype === 'Long';
  return value instanceof Int32 || value instanceof Double || value instanceof Decimal128;
}

export function isNotANumber(value: NumericValue): boolean {
  return exactly(value) === 'NaN';
}

export function ofBigInt(value: bigint): Finite {
  return { isNegative: value < 0n, digits: value < 0n ? -value : value, exponent: 0 };
}

/** Doubles are fractions with a power of two below, and so have a finite number of decimal digits. */
export function ofDouble(value: number): Exact {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '-Infinity';
  let numerator = Math.abs(value);
  let powerOfTwo = 0;
  while (!Number.isInteger(numerator)) {
    numerator *= 2;
    powerOfTwo += 1;
  }
  return {
    isNegative: value < 0 || Object.is(value, -0),
    digits: BigInt(numerator) * 5n ** BigInt(powerOfTwo),
    exponent: -powerOfTwo,
  };
}

/** Reads IEEE 754's binary encoding of a decimal128. */
function ofDecimal(value: Decimal128): Exact {
  const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = view.getBigUint64(8, true);
  const low = view.getBigUint64(0, true);
  const negative = high >> 63n === 1n;
  const combination = (high >> 58n) & 0x1fn;
  if (combination === 0x1fn) return 'NaN';
  if (combination === 0x1en) return negative ? '-Infinity' : 'Infinity';
  const isLarge = combination >> 3n === 3n;
  const exponent = Number((high >> (isLarge ? 47n : 49n)) & 0x3fffn) + MIN_EXPONENT;
  const digits = isLarge ? 0n : ((high & ((1n << 49n) - 1n)) << 64n) | low;
  return { isNegative: negative, digits: digits < power10(DECIMAL_DIGITS) ? digits : 0n, exponent };
}

export function exactly(value: NumericValue): Exact {
  if (value instanceof Int32) return ofBigInt(BigInt(value.value));
  if (value instanceof Double) return ofDouble(value.value);
  if (value instanceof Decimal128) return ofDecimal(value);
  return ofBigInt(value.toBigInt());
}

/** The signed digits with the exponent lowered to `exponent`. */
function signedDigits({ isNegative, digits, exponent }: Finite, at: number): bigint {
  const scaled = digits * power10(exponent - at);
  return isNegative ? -scaled : scaled;
}

/** NaN is below all other numbers and equal to itself; the zeros are equal. */
export function compareExact(a: Exact, b: Exact): number {
  const rank = (exact: Exact) =>
    isFiniteNumber(exact) ? 2 : ['NaN', '-Infinity', '', 'Infinity'].indexOf(exact);
  if (!isFiniteNumber(a) || !isFiniteNumber(b)) return Math.sign(rank(a) - rank(b));
  const exponent = Math.min(a.exponent, b.exponent);
  const difference = signedDigits(a, exponent) - signedDigits(b, exponent);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function compareNumbers(a: NumericValue, b: NumericValue): number {
  if (a instanceof Int32 && b instanceof Int32) return Math.sign(a.value - b.value);
  return compareExact(exactly(a), exactly(b));
}

export function toDouble(exact: Exact): number {
  if (!isFiniteNumber(exact)) return Number(exact);
  return Number(`${exact.isNegative ? '-' : ''}${exact.digits}E${exact.exponent}`);
}

/** The integer part. */
export function truncate({ isNegative, digits, exponent }: Finite): bigint {
  const whole = exponent >= 0 ? digits * power10(exponent) : digits / power10(-exponent);
  return isNegative ? -whole : whole;
}

export const fitsLong = (value: bigint): boolean => value >= MIN_LONG && value <= MAX_LONG;
export const fitsInt = (value: bigint): boolean => value >= -(2n ** 31n) && value < 2n ** 31n;

/** The value where it is a whole number that a long can hold. */
export function wholeNumber(value: unknown): bigint | undefined {
  if (!isNumber(value)) return undefined;
  const exact = exactly(value);
  if (!isFiniteNumber(exact)) return undefined;
  const whole = truncate(exact);
  return compareExact(ofBigInt(whole), exact) === 0 && fitsLong(whole) ? whole : undefined;
}

/** A whole number that an int can hold. */
export function intOf(value: unknown): number | undefined {
  const whole = wholeNumber(value);
  return whole !== undefined && fitsInt(whole) ? Number(whole) : undefined;
}

export const long = (value: bigint): Long => Long.fromBigInt(value);
export const intOrLong = (value: bigint): Int32 | Long =>
  fitsInt(value) ? new Int32(Number(value)) : long(value);

export type Rounding = 'halfEven' | 'down' | 'floor' | 'ceiling';

/** Whether cutting digits off must raise the last digit that stays. */
function roundsUp(
  rounding: Rounding,
  isNegative: boolean,
  kept: bigint,
  rest: bigint,
  unit: bigint,
): boolean {
  if (rest === 0n || rounding === 'down') return false;
  if (rounding === 'floor') return isNegative;
  if (rounding === 'ceiling') return !isNegative;
  return rest * 2n > unit || (rest * 2n === unit && kept % 2n === 1n);
}

/** The multiple of 10^exponent next to the number. */
export function roundTo(number: Finite, exponent: number, rounding: Rounding = 'halfEven'): Finite {
  const { isNegative, digits } = number;
  if (number.exponent >= exponent) {
    return { isNegative, digits: digits * power10(number.exponent - exponent), exponent };
  }
  const unit = power10(exponent - number.exponent);
  const kept = digits / unit;
  const up = roundsUp(rounding, isNegative, kept, digits % unit, unit);
  return { isNegative, digits: up ? kept + 1n : kept, exponent };
}

/** The number with at most so many significant digits. */
function roundToDigits(number: Finite, maxDigits: number): Finite {
  const excess = countDigits(number.digits) - maxDigits;
  if (excess <= 0) return number;
  const rounded = roundTo(number, number.exponent + excess);
  return countDigits(rounded.digits) > maxDigits ? roundTo(rounded, rounded.exponent + 1) : rounded;
}

/** The decimal128 nearest to the number, with its exponent where that is possible. */
export function decimal(exact: Exact): Decimal128 {
  if (!isFiniteNumber(exact)) return Decimal128.fromString(exact);
  const excess = Math.max(0, countDigits(exact.digits) - DECIMAL_DIGITS);
  const lowest = Math.max(exact.exponent + excess, MIN_EXPONENT);
  let rounded = lowest > exact.exponent ? roundTo(exact, lowest) : exact;
  if (countDigits(rounded.digits) > DECIMAL_DIGITS) rounded = roundTo(rounded, rounded.exponent + 1);
  if (rounded.exponent <= MAX_EXPONENT) return encodeDecimal(rounded);
  if (rounded.digits === 0n) return encodeDecimal({ ...rounded, exponent: MAX_EXPONENT });
  rounded = roundTo(rounded, MAX_EXPONENT);
  if (countDigits(rounded.digits) <= DECIMAL_DIGITS) return encodeDecimal(rounded);
  return Decimal128.fromString(exact.isNegative ? '-Infinity' : 'Infinity');
}

function encodeDecimal({ isNegative, digits, exponent }: Finite): Decimal128 {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const high = ((isNegative ? 1n : 0n) << 63n) | (BigInt(exponent - MIN_EXPONENT) << 49n) | (digits >> 64n);
  view.setBigUint64(8, high, true);
  view.setBigUint64(0, digits & (2n ** 64n - 1n), true);
  return new Decimal128(bytes);
}

/** A double becomes a decimal with exactly 15 significant digits, as in `$toDecimal`. */
export function exactAsDecimal(value: NumericValue): Exact {
  const exact = exactly(value);
  if (!(value instanceof Double) || !isFiniteNumber(exact)) return exact;
  if (exact.digits === 0n) return { ...exact, exponent: 0 };
  const digits = 15;
  const rounded = roundToDigits(exact, digits);
  return roundTo(rounded, rounded.exponent - (digits - countDigits(rounded.digits)));
}

/** A double as the decimal with 34 significant digits. */
export function exactTo34Digits(value: number): Exact {
  const exact = ofDouble(value);
  return isFiniteNumber(exact) ? roundToDigits(exact, DECIMAL_DIGITS) : exact;
}

export function addExact(a: Exact, b: Exact): Exact {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  if (!isFiniteNumber(a)) return isFiniteNumber(b) || a === b ? a : 'NaN';
  if (!isFiniteNumber(b)) return b;
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = signedDigits(a, exponent) + signedDigits(b, exponent);
  if (sum === 0n) return { isNegative: a.isNegative && b.isNegative, digits: 0n, exponent };
  return { isNegative: sum < 0n, digits: sum < 0n ? -sum : sum, exponent };
}

export function negate(exact: Exact): Exact {
  if (isFiniteNumber(exact)) return { ...exact, isNegative: !exact.isNegative };
  return exact === 'NaN' ? 'NaN' : exact === 'Infinity' ? '-Infinity' : 'Infinity';
}

export function multiplyExact(a: Exact, b: Exact): Exact {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  const negative = isNegative(a) !== isNegative(b);
  if (!isFiniteNumber(a) || !isFiniteNumber(b)) {
    if (isZero(a) || isZero(b)) return 'NaN';
    return negative ? '-Infinity' : 'Infinity';
  }
  return { isNegative: negative, digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

/** The quotient of decimals; exact quotients have the exponent nearest to the difference of the exponents. */
export function divideDecimal(a: Exact, b: Exact): Exact {
  if (a === 'NaN' || b === 'NaN') return 'NaN';
  const negative = isNegative(a) !== isNegative(b);
  if (!isFiniteNumber(a)) return isFiniteNumber(b) ? (negative ? '-Infinity' : 'Infinity') : 'NaN';
  if (!isFiniteNumber(b)) return { isNegative: negative, digits: 0n, exponent: MIN_EXPONENT };
  if (b.digits === 0n) return a.digits === 0n ? 'NaN' : negative ? '-Infinity' : 'Infinity';
  const ideal = a.exponent - b.exponent;
  if (a.digits === 0n) return { isNegative: negative, digits: 0n, exponent: ideal };
  const shift = Math.max(0, DECIMAL_DIGITS + 2 + countDigits(b.digits) - countDigits(a.digits));
  const numerator = a.digits * power10(shift);
  let digits = numerator / b.digits;
  let exponent = ideal - shift;
  // A digit that is not zero stands for the rest, so that rounding sees that there is one.
  if (numerator % b.digits !== 0n)
    return { isNegative: negative, digits: digits * 10n + 1n, exponent: exponent - 1 };
  while (exponent < ideal && digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1;
  }
  return { isNegative: negative, digits, exponent };
}

/** The remainder has the sign of the dividend. */
export function remainderExact(a: Exact, b: Exact): Exact {
  if (a === 'NaN' || b === 'NaN' || !isFiniteNumber(a) || isZero(b)) return 'NaN';
  if (!isFiniteNumber(b)) return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const digits = (a.digits * power10(a.exponent - exponent)) % (b.digits * power10(b.exponent - exponent));
  return { isNegative: a.isNegative, digits, exponent };
}
