import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
import {
  absolute,
  type ExactDecimal,
  exactDecimal,
  exactDecimalOfDouble,
  magnitudeOf,
  scaleTo,
  toNearestDouble,
} from './numbers.ts';
import { quantize } from './quantize.ts';

/*
 * Arithmetic that keeps BSON's types as MongoDB does: an int32 that overflows becomes an int64, any double operand makes
 * the result a double, and any decimal makes it a decimal. The result is undefined if an int64 overflows: callers differ
 * in how they handle it.
 */

const STEPS_PER_OPERATION = 40;

interface Operation {
  whole(a: bigint, b: bigint): bigint;
  double(a: number, b: number): number;
  decimal(a: ExactDecimal, b: ExactDecimal): ExactDecimal;
}

const ADDITION: Operation = {
  whole: (a, b) => a + b,
  double: (a, b) => a + b,
  decimal: addExact,
};

const SUBTRACTION: Operation = {
  whole: (a, b) => a - b,
  double: (a, b) => a - b,
  decimal: (a, b) => addExact(a, { ...b, coefficient: -b.coefficient }),
};

const MULTIPLICATION: Operation = {
  whole: (a, b) => a * b,
  double: (a, b) => a * b,
  decimal: (a, b) => ({
    coefficient: a.coefficient * b.coefficient,
    exponent: a.exponent + b.exponent,
  }),
};

type Calculate = (a: NumericValue, b: NumericValue) => NumericValue | undefined;

export const add: Calculate = (a, b) => calculate(a, b, ADDITION);
export const subtract: Calculate = (a, b) => calculate(a, b, SUBTRACTION);
export const multiply: Calculate = (a, b) => calculate(a, b, MULTIPLICATION);

function calculate(a: NumericValue, b: NumericValue, operation: Operation): NumericValue | undefined {
  if (a instanceof Decimal128 || b instanceof Decimal128)
    return calculateDecimal(toDecimal(a), toDecimal(b), operation);
  if (a instanceof Double || b instanceof Double) {
    return new Double(operation.double(toNearestDouble(a), toNearestDouble(b)));
  }
  const result = operation.whole(wholeOf(a), wholeOf(b));
  if (a instanceof Int32 && b instanceof Int32 && BigInt.asIntN(32, result) === result)
    return new Int32(Number(result));
  return BigInt.asIntN(64, result) === result ? Long.fromBigInt(result) : undefined;
}

export function wholeOf(value: Int32 | Long): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value.toBigInt();
}

function calculateDecimal(
  a: Decimal128,
  b: Decimal128,
  { decimal, double }: Pick<Operation, 'decimal' | 'double'>,
): Decimal128 {
  spendSteps(STEPS_PER_OPERATION);
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  // Doubles give the same result for NaN and the infinities, and the same sign for a zero.
  const kind = double(kindOf(a, left), kindOf(b, right));
  if (left !== undefined && right !== undefined)
    return roundToDecimal(decimal(left, right), Object.is(kind, -0));
  // A number divided by an infinity is a zero with the lowest exponent.
  if (kind === 0) return roundToDecimal({ coefficient: 0n, exponent: MIN_EXPONENT }, Object.is(kind, -0));
  return Decimal128.fromString(String(kind));
}

/** A double of the same kind: NaN, an infinity, zero, or 1, each with the sign of the decimal. */
function kindOf(value: Decimal128, exact: ExactDecimal | undefined): number {
  if (exact === undefined) return Number(value.toString());
  const magnitude = exact.coefficient === 0n ? 0 : 1;
  return value.toString().startsWith('-') ? -magnitude : magnitude;
}

const DECIMAL_DIGITS = 34;
/** If the exponents differ by more than this, the smaller number affects only the rounding of a sum. */
const MAX_EXPONENT_DISTANCE = 2 * DECIMAL_DIGITS + 6;
const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;

function addExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const [high, low] = a.exponent >= b.exponent ? [a, b] : [b, a];
  const isFar = high.exponent - low.exponent > MAX_EXPONENT_DISTANCE;
  if (isFar && high.coefficient !== 0n && low.coefficient !== 0n) {
    const exponent = high.exponent - MAX_EXPONENT_DISTANCE;
    return { coefficient: scaleTo(high, exponent) + (low.coefficient < 0n ? -1n : 1n), exponent };
  }
  return { coefficient: scaleTo(high, low.exponent) + low.coefficient, exponent: low.exponent };
}

/** The Decimal128 next to the exact value; ties go to the even digit (IEEE 754 roundTiesToEven). */
export function roundToDecimal(exact: ExactDecimal, isNegativeZero = false): Decimal128 {
  const sign = exact.coefficient < 0n || isNegativeZero ? '-' : '';
  const digits = absolute(exact.coefficient).toString().length;
  const excess = Math.max(digits - DECIMAL_DIGITS, MIN_EXPONENT - exact.exponent, 0);
  let exponent = exact.exponent + excess;
  const coefficient = absolute(quantize(exact, exponent, 'halfToEven'));
  if (coefficient === 0n) exponent = Math.min(exponent, MAX_EXPONENT);
  const isTooLarge = magnitudeOf({ coefficient, exponent }) > DECIMAL_DIGITS + MAX_EXPONENT;
  return Decimal128.fromString(isTooLarge ? `${sign}Infinity` : `${sign}${coefficient}E${exponent}`);
}

/** The remainder of a division of decimals, with the sign of the dividend. The divisor must not be zero. */
export function remainderOfDecimals(a: Decimal128, b: Decimal128): Decimal128 {
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  if (left === undefined || right === undefined) {
    // With an infinite divisor, the remainder is the dividend. Otherwise NaN and the infinities have no remainder.
    return left !== undefined && b.toString() !== 'NaN' ? a : Decimal128.fromString('NaN');
  }
  const exponent = Math.min(left.exponent, right.exponent);
  const coefficient = scaleTo(left, exponent) % scaleTo(right, exponent);
  return roundToDecimal({ coefficient, exponent }, a.toString().startsWith('-'));
}

/** The number of significant digits in MongoDB's conversion of a double. */
const DIGITS_OF_DOUBLE = 15;

export function toDecimal(value: NumericValue): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (!(value instanceof Double)) return Decimal128.fromString(wholeOf(value).toString());
  const { value: double } = value;
  if (double === 0 || !Number.isFinite(double))
    return Decimal128.fromString(Object.is(double, -0) ? '-0' : String(double));
  const exact = exactDecimalOfDouble(double);
  const exponent = magnitudeOf(exact) - DIGITS_OF_DOUBLE;
  const coefficient = quantize(exact, exponent, 'halfToEven');
  // Rounding can carry into another digit, as it does for 1e-7.
  const carries = magnitudeOf({ coefficient, exponent: 0 }) > DIGITS_OF_DOUBLE;
  return roundToDecimal(
    carries ? { coefficient: coefficient / 10n, exponent: exponent + 1 } : { coefficient, exponent },
  );
}

/** The quotient to 34 digits. The divisor must not be zero. */
export function divideDecimals(a: Decimal128, b: Decimal128): Decimal128 {
  return calculateDecimal(a, b, { decimal: divideExact, double: (x, y) => x / y });
}

const QUOTIENT_SCALE = 2 * DECIMAL_DIGITS + 2;

/** The quotient to more digits than a decimal has, with an exponent as close as possible to IEEE 754's preferred one. */
function divideExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const preferredExponent = a.exponent - b.exponent;
  const scaled = a.coefficient * 10n ** BigInt(QUOTIENT_SCALE);
  const isNegative = a.coefficient < 0n !== b.coefficient < 0n;
  // An additional digit stands for the remainder, so that the quotient rounds correctly.
  const sticky = scaled % b.coefficient === 0n ? 0n : isNegative ? -1n : 1n;
  let coefficient = (scaled / b.coefficient) * 10n + sticky;
  let exponent = preferredExponent - QUOTIENT_SCALE - 1;
  while (exponent < preferredExponent && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return { coefficient, exponent };
}
