import { Decimal128, Double, Int32 } from 'bson';
import type { NumericValue } from '../bson/document.ts';

/** A finite number as `coefficient * 10^exponent`, exactly. */
export interface ExactDecimal {
  coefficient: bigint;
  exponent: number;
}

const DECIMAL_TEXT = /^(-?)(\d+)(?:\.(\d+))?(?:E([+-]?\d+))?$/;

/** Reads a finite Decimal128 exactly; undefined for NaN and the infinities. */
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
 * The number as a double where that is exact, which it is for int32, double and int64 of up to 53 bits;
 * undefined for larger int64 and for decimals.
 */
export function asExactDouble(value: NumericValue): number | undefined {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Decimal128) return undefined;
  if (value.high < SMALLEST_SAFE_LONG_HIGH || value.high > LARGEST_SAFE_LONG_HIGH) return undefined;
  return value.toNumber();
}

/** The number rounded to the nearest double: for $mod, $sort of statistics and the like, never to compare. */
export function toNearestDouble(value: NumericValue): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Decimal128) return Number(value.toString());
  return value.toNumber();
}

const DOUBLE_FRACTION_BITS = 52;
const DOUBLE_EXPONENT_BIAS = 1075;
const doubleBits = new DataView(new ArrayBuffer(8));

/** A finite double exactly, as `coefficient * 10^exponent`: every double has a finite decimal expansion. */
export function exactDecimalOfDouble(value: number): ExactDecimal {
  if (Number.isInteger(value)) return { coefficient: BigInt(value), exponent: 0 };
  doubleBits.setFloat64(0, value);
  const bits = doubleBits.getBigUint64(0);
  const biased = Number((bits >> BigInt(DOUBLE_FRACTION_BITS)) & 0x7ffn);
  const fraction = bits & ((1n << BigInt(DOUBLE_FRACTION_BITS)) - 1n);
  const mantissa = biased === 0 ? fraction : fraction | (1n << BigInt(DOUBLE_FRACTION_BITS));
  // Not an integer, so the power of two is negative: m / 2^k = m * 5^k / 10^k.
  const power = DOUBLE_EXPONENT_BIAS - Math.max(biased, 1);
  const coefficient = mantissa * 5n ** BigInt(power);
  return { coefficient: value < 0 ? -coefficient : coefficient, exponent: -power };
}

/** The exact value; of NaN and the infinities the number itself. */
function exactOf(value: NumericValue): ExactDecimal | number {
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

/** Compares by exact value whatever the two types, e.g. int64 2^53+1 is above double 2^53. NaN is the lowest. */
export function compareNumbers(a: NumericValue, b: NumericValue): number {
  const left = asExactDouble(a);
  const right = asExactDouble(b);
  if (left !== undefined && right !== undefined) return compareDoubles(left, right);
  const exactLeft = exactOf(a);
  const exactRight = exactOf(b);
  // A plain number is NaN or an infinity here: against those any finite number is as good as 0.
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
  const signs = compareBigints(signOf(a.coefficient), signOf(b.coefficient));
  if (signs !== 0 || a.coefficient === 0n) return signs;
  const sign = a.coefficient < 0n ? -1 : 1;
  // By magnitude first, so that 1E6144 against 1E-6176 does not make a number of 12,000 digits.
  const magnitudes = magnitudeOf(a) - magnitudeOf(b);
  if (magnitudes !== 0) return magnitudes < 0 ? -sign : sign;
  const exponent = Math.min(a.exponent, b.exponent);
  return compareBigints(
    a.coefficient * 10n ** BigInt(a.exponent - exponent),
    b.coefficient * 10n ** BigInt(b.exponent - exponent),
  );
}

/** The power of ten of the leading digit, plus one. */
export function magnitudeOf(value: ExactDecimal): number {
  const digits = value.coefficient.toString();
  return digits.length - (digits.startsWith('-') ? 1 : 0) + value.exponent;
}

function signOf(value: bigint): bigint {
  return value < 0n ? -1n : value > 0n ? 1n : 0n;
}

/** Whether the first is a whole multiple of the second, by exact value. False for NaN and the infinities. */
export function isMultipleOf(value: NumericValue, of: NumericValue): boolean {
  const left = exactOf(value);
  const right = exactOf(of);
  if (typeof left === 'number' || typeof right === 'number') return false;
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = left.coefficient * 10n ** BigInt(left.exponent - exponent);
  return scaled % (right.coefficient * 10n ** BigInt(right.exponent - exponent)) === 0n;
}

function compareBigints(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether the number is NaN, as double or as decimal. */
export function isNaNValue(value: unknown): boolean {
  return (
    (value instanceof Double && Number.isNaN(value.value)) ||
    (value instanceof Decimal128 && value.toString() === 'NaN')
  );
}
