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
const MIN_LONG = -(2n ** 63n);
const MAX_LONG = 2n ** 63n - 1n;

export const isFiniteNumber = (exact: Exact): exact is Finite => typeof exact === 'object';
export const isZero = (exact: Exact): boolean => isFiniteNumber(exact) && exact.digits === 0n;
const power10 = (exponent: number): bigint => 10n ** BigInt(exponent);

export function isNumber(value: unknown): value is NumericValue {
  if (value instanceof Long) return value._bsontype === 'Long';
  return value instanceof Int32 || value instanceof Double || value instanceof Decimal128;
}

export function isNotANumber(value: NumericValue): boolean {
  return exactly(value) === 'NaN';
}

function ofBigInt(value: bigint): Finite {
  return { isNegative: value < 0n, digits: value < 0n ? -value : value, exponent: 0 };
}

/** Doubles are fractions with a power of two below, and so have a finite number of decimal digits. */
function ofDouble(value: number): Exact {
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
function compareExact(a: Exact, b: Exact): number {
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
const fitsInt = (value: bigint): boolean => value >= -(2n ** 31n) && value < 2n ** 31n;

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
