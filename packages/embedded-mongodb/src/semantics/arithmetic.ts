import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { type ExactDecimal, exactDecimal, toNearestDouble } from './numbers.ts';

/*
 * Arithmetic that keeps BSON's types as MongoDB does: int32 grows to int64, any double makes a double, any
 * decimal a decimal. An int64 that overflows is undefined: what to do then differs by caller.
 */

export function add(a: NumericValue, b: NumericValue): NumericValue | undefined {
  return calculate(a, b, {
    whole: (left, right) => left + right,
    double: (left, right) => left + right,
    decimal: addExact,
  });
}

export function subtract(a: NumericValue, b: NumericValue): NumericValue | undefined {
  return calculate(a, b, {
    whole: (left, right) => left - right,
    double: (left, right) => left - right,
    decimal: (left, right) => addExact(left, { ...right, coefficient: -right.coefficient }),
  });
}

export function multiply(a: NumericValue, b: NumericValue): NumericValue | undefined {
  return calculate(a, b, {
    whole: (left, right) => left * right,
    double: (left, right) => left * right,
    decimal: (left, right) => ({
      coefficient: left.coefficient * right.coefficient,
      exponent: left.exponent + right.exponent,
    }),
  });
}

interface Operation {
  whole(a: bigint, b: bigint): bigint;
  double(a: number, b: number): number;
  decimal(a: ExactDecimal, b: ExactDecimal): ExactDecimal;
}

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

function calculateDecimal(a: Decimal128, b: Decimal128, operation: Operation): Decimal128 {
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  if (left !== undefined && right !== undefined) return roundToDecimal(operation.decimal(left, right));
  // With NaN or an infinity, only its kind decides; doubles have the same rules.
  const result = operation.double(
    left === undefined ? Number(a.toString()) : Number(left.coefficient > 0n) - Number(left.coefficient < 0n),
    right === undefined
      ? Number(b.toString())
      : Number(right.coefficient > 0n) - Number(right.coefficient < 0n),
  );
  return Decimal128.fromString(String(result));
}

function addExact(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  // Beyond this distance the smaller cannot show in 34 digits; one digit of it keeps the rounding right.
  const [high, low] = a.exponent >= b.exponent ? [a, b] : [b, a];
  if (
    high.coefficient !== 0n &&
    high.exponent - low.exponent > MAX_EXPONENT_DISTANCE &&
    low.coefficient !== 0n
  ) {
    const nudge = low.coefficient < 0n ? -1n : 1n;
    const scaled = high.coefficient * 10n ** BigInt(MAX_EXPONENT_DISTANCE);
    return { coefficient: scaled + nudge, exponent: high.exponent - MAX_EXPONENT_DISTANCE };
  }
  const distance = BigInt(high.exponent - low.exponent);
  return { coefficient: high.coefficient * 10n ** distance + low.coefficient, exponent: low.exponent };
}

const DECIMAL_DIGITS = 34;
const MAX_EXPONENT_DISTANCE = 2 * DECIMAL_DIGITS + 6;
const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;

/** The Decimal128 next to the exact value; ties go to the even digit (IEEE 754 roundTiesToEven). */
export function roundToDecimal(exact: ExactDecimal): Decimal128 {
  let { coefficient, exponent } = exact;
  const digits = (coefficient < 0n ? -coefficient : coefficient).toString().length;
  const excess = Math.max(digits - DECIMAL_DIGITS, MIN_EXPONENT - exponent, 0);
  if (excess > 0) {
    coefficient = divideToEven(coefficient, 10n ** BigInt(excess));
    exponent += excess;
  }
  if (coefficient === 0n) exponent = Math.min(exponent, MAX_EXPONENT);
  const size = (coefficient < 0n ? -coefficient : coefficient).toString().length;
  if (size + exponent > DECIMAL_DIGITS + MAX_EXPONENT) {
    return Decimal128.fromString(coefficient < 0n ? '-Infinity' : 'Infinity');
  }
  return Decimal128.fromString(`${coefficient}E${exponent}`);
}

/** The quotient rounded to a whole number, halves to the even one. */
export function divideToEven(value: bigint, divisor: bigint): bigint {
  const sign = value < 0n ? -1n : 1n;
  const magnitude = value * sign;
  let quotient = magnitude / divisor;
  const twice = (magnitude % divisor) * 2n;
  if (twice > divisor || (twice === divisor && quotient % 2n === 1n)) quotient += 1n;
  return quotient * sign;
}

/** What is left of a division of decimals, with the sign of the first. The second must not be zero. */
export function remainderOfDecimals(a: Decimal128, b: Decimal128): Decimal128 {
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  if (left === undefined || right === undefined) {
    // An infinite divisor leaves the dividend as it is; all else with NaN or an infinity has no remainder.
    const isLeft = left !== undefined && b.toString() !== 'NaN';
    return isLeft ? a : Decimal128.fromString('NaN');
  }
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = ({ coefficient, exponent: own }: ExactDecimal) =>
    coefficient * 10n ** BigInt(own - exponent);
  return roundToDecimal({ coefficient: scaled(left) % scaled(right), exponent });
}

/** MongoDB's conversion: of a double, 15 significant digits are taken. */
const DIGITS_OF_DOUBLE = 15;

export function toDecimal(value: NumericValue): Decimal128 {
  if (value instanceof Decimal128) return value;
  if (value instanceof Double) {
    const text = Number.isFinite(value.value)
      ? value.value.toPrecision(DIGITS_OF_DOUBLE)
      : String(value.value);
    return Decimal128.fromString(text);
  }
  return Decimal128.fromString(wholeOf(value).toString());
}

/** The quotient to 34 digits. The divisor must not be zero. */
export function divideDecimals(a: Decimal128, b: Decimal128): Decimal128 {
  const left = exactDecimal(a);
  const right = exactDecimal(b);
  if (left === undefined || right === undefined) {
    return Decimal128.fromString(String(Number(a.toString()) / Number(b.toString())));
  }
  if (left.coefficient % right.coefficient === 0n) {
    return roundToDecimal({
      coefficient: left.coefficient / right.coefficient,
      exponent: left.exponent - right.exponent,
    });
  }
  const scale = 2 * DECIMAL_DIGITS + 2;
  const scaled = left.coefficient * 10n ** BigInt(scale);
  // One digit that stands for the rest of the division, so that it rounds the right way.
  const quotient =
    (scaled / right.coefficient) * 10n +
    (scaled % right.coefficient === 0n ? 0n : signOf(scaled, right.coefficient));
  return roundToDecimal(
    withoutTrailingZeros({ coefficient: quotient, exponent: left.exponent - right.exponent - scale - 1 }),
  );
}

function signOf(a: bigint, b: bigint): bigint {
  return a < 0n === b < 0n ? 1n : -1n;
}

/** Takes away the zeros that the scaling has added, as far as IEEE 754's preferred exponent. */
function withoutTrailingZeros({ coefficient, exponent }: ExactDecimal): ExactDecimal {
  let shortened = coefficient;
  let raised = exponent;
  while (raised < 0 && shortened !== 0n && shortened % 10n === 0n) {
    shortened /= 10n;
    raised += 1;
  }
  return { coefficient: shortened, exponent: raised };
}
