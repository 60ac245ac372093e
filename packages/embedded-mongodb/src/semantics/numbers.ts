import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isNumeric, type NumericValue } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';

/** A finite number as `coefficient * 10^exponent`, exactly. */
export interface ExactDecimal {
  coefficient: bigint;
  exponent: number;
}

/** Smaller numbers of digits cost no steps. */
const MANY_DIGITS = 100;
const STEPS_PER_DIGIT = 6;
const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/;

/** The exact value of a finite Decimal128; undefined for NaN and the infinities. */
export function exactDecimal(value: Decimal128): ExactDecimal | undefined {
  const parts = DECIMAL_TEXT.exec(value.toString());
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts;
  const coefficient = BigInt(whole + fraction);
  return {
    coefficient: sign === '-' ? -coefficient : coefficient,
    exponent: Number(exponent) - fraction.length,
  };
}

const SMALLEST_SAFE_LONG_HIGH = -0x200000;
const LARGEST_SAFE_LONG_HIGH = 0x1fffff;

/**
 * The number as a double if that is exact: for an int32, a double, and an int64 of up to 53 bits. Undefined for a larger
 * int64 and for a decimal.
 */
export function asExactDouble(value: NumericValue): number | undefined {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Decimal128) return undefined;
  if (value.high < SMALLEST_SAFE_LONG_HIGH || value.high > LARGEST_SAFE_LONG_HIGH) return undefined;
  return value.toNumber();
}

/** The number rounded to the nearest double. Unsuitable for comparisons, which are exact. */
export function toNearestDouble(value: NumericValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return value.toNumber();
}

const DOUBLE_FRACTION_BITS = 52;
const DOUBLE_EXPONENT_BIAS = 1075;
const doubleBits = new DataView(new ArrayBuffer(8));

/** The exact value of a finite double, without trailing zeros after the decimal point. */
export function exactDecimalOfDouble(value: number): ExactDecimal {
  if (Number.isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  doubleBits.setFloat64(0, value);
  const bits = doubleBits.getBigUint64(0);
  const biased = Number((bits >> BigInt(DOUBLE_FRACTION_BITS)) & 0x7ffn);
  const fraction = bits & ((1n << BigInt(DOUBLE_FRACTION_BITS)) - 1n);
  let mantissa = biased === 0 ? fraction : fraction | (1n << BigInt(DOUBLE_FRACTION_BITS));
  // Not an integer, so the power of two is negative: m / 2^k = m * 5^k / 10^k.
  let power = DOUBLE_EXPONENT_BIAS - Math.max(biased, 1);
  while (mantissa % 2n === 0n) {
    mantissa /= 2n;
    power -= 1;
  }
  const coefficient = mantissa * 5n ** BigInt(power);
  return { coefficient: value < 0 ? -coefficient : coefficient, exponent: -power };
}

/** The exact value; for NaN and the infinities, the number itself. */
export function exactOf(value: NumericValue): ExactDecimal | number {
  if (value instanceof Int32) return { coefficient: BigInt(value.value), exponent: 0 };
  if (value instanceof Double)
    return Number.isFinite(value.value) ? exactDecimalOfDouble(value.value) : value.value;
  if (value instanceof Decimal128) return exactDecimal(value) ?? Number(value.toString());
  return { coefficient: value.toBigInt(), exponent: 0 };
}

function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  // MongoDB's order: NaN equals NaN and lies below every other number.
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : -1) : 1;
}

/** Compares by exact value regardless of types: int64 2^53+1 is above double 2^53. NaN is the lowest. */
export function compareNumbers(a: NumericValue, b: NumericValue): number {
  const left = asExactDouble(a);
  const right = asExactDouble(b);
  if (left !== undefined && right !== undefined) return compareDoubles(left, right);
  const exactLeft = exactOf(a);
  const exactRight = exactOf(b);
  // Here, a plain number is NaN or an infinity. Any finite number compares with those like 0.
  if (typeof exactLeft === 'number' || typeof exactRight === 'number') {
    return compareDoubles(
      typeof exactLeft === 'number' ? exactLeft : 0,
      typeof exactRight === 'number' ? exactRight : 0,
    );
  }
  return compareExact(exactLeft, exactRight);
}

/** Compares two exact decimals. */
export function compareExact(a: ExactDecimal, b: ExactDecimal): number {
  const sign = signOf(a.coefficient);
  const signs = sign - signOf(b.coefficient);
  if (signs !== 0 || sign === 0) return signs;
  // Compares magnitudes first, so that 1E6144 and 1E-6176 do not require a number of 12,000 digits.
  const magnitudes = magnitudeOf(a) - magnitudeOf(b);
  if (magnitudes !== 0) return sign * magnitudes;
  const exponent = Math.min(a.exponent, b.exponent);
  return signOf(scaleTo(a, exponent) - scaleTo(b, exponent));
}

/** The exponent of the leading digit, plus one. */
export function magnitudeOf({ coefficient, exponent }: ExactDecimal): number {
  return absolute(coefficient).toString().length + exponent;
}

/** The coefficient of the number at a lower or equal exponent. */
function scaleTo({ coefficient, exponent }: ExactDecimal, toExponent: number): bigint {
  return coefficient * powerOfTen(exponent - toExponent);
}

/** Intermediate results of decimals can have up to 12,000 digits. */
function powerOfTen(digits: number): bigint {
  if (digits > MANY_DIGITS) spendSteps(digits * STEPS_PER_DIGIT);
  return 10n ** BigInt(digits);
}

export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function signOf(value: bigint): number {
  return value < 0n ? -1 : value > 0n ? 1 : 0;
}

/** Whether the value is NaN, as a double or a decimal. */
export function isNaNValue(value: unknown): boolean {
  return (
    (value instanceof Double && Number.isNaN(value.value)) ||
    (value instanceof Decimal128 && value.toString() === 'NaN')
  );
}

/** No int64 has more digits. */
const MAX_INT64_DIGITS = 19;

/** The number without its fraction; undefined for other types and if it does not fit in an int64. */
export function truncatedToInt64(value: BsonValue | undefined): bigint | undefined {
  const exact = value !== undefined && isNumeric(value) ? exactOf(value) : Number.NaN;
  if (typeof exact === 'number' || magnitudeOf(exact) > MAX_INT64_DIGITS) return undefined;
  const { coefficient, exponent } = exact;
  const whole = exponent >= 0 ? scaleTo(exact, 0) : coefficient / 10n ** BigInt(-exponent);
  return BigInt.asIntN(64, whole) === whole ? whole : undefined;
}

/** The number if it is whole and fits in an int64; otherwise undefined. */
export function wholeNumber(value: BsonValue | undefined): bigint | undefined {
  const whole = truncatedToInt64(value);
  const isWhole = whole !== undefined && compareNumbers(value as NumericValue, Long.fromBigInt(whole)) === 0;
  return isWhole ? whole : undefined;
}
