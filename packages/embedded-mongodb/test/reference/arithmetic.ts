import {
  type BsonValue,
  Decimal128,
  Double,
  Int32,
  Long,
  type NumericValue,
} from '../../src/bson/document.ts';
import { exactly, fitsLong, intOrLong, isNumber, isZero, long, toDouble, truncate } from './numbers.ts';
import type { Maybe } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';

export const isNullish = (value: Maybe): value is null | undefined => value === null || value === undefined;

export function isTrue(value: Maybe): boolean {
  if (isNullish(value)) return false;
  if (typeof value === 'boolean') return value;
  return !(isNumber(value) && isZero(exactly(value)));
}

const doubleOf = (value: NumericValue): number => toDouble(exactly(value));
const bigIntOf = (value: NumericValue): bigint =>
  truncate(exactly(value) as Exclude<ReturnType<typeof exactly>, string>);
const isDouble = (value: unknown): value is Double => value instanceof Double;
const isInteger = (value: unknown): boolean =>
  value instanceof Int32 || (isNumber(value) && value instanceof Long);

/** The server calculates with all numbers but decimals. */
export function rejectDecimals(...values: readonly NumericValue[]): void {
  if (values.some((value) => value instanceof Decimal128))
    throw new Rejected('arithmetic with a decimal', 238);
}

/** The result of adding or multiplying integers: a long if an operand is a long, a double if it does not fit. */
function integerResult(exact: bigint, operands: readonly NumericValue[]): NumericValue | undefined {
  if (!fitsLong(exact)) return undefined;
  return operands.some((operand) => operand instanceof Long) ? long(exact) : intOrLong(exact);
}

/** Multiplies both as integers and as doubles, in case a double follows or the product does not fit in a long. */
export function multiply(operands: readonly NumericValue[]): NumericValue {
  rejectDecimals(...operands);
  let product: NumericValue = new Int32(1);
  let double = 1;
  for (const operand of operands) {
    double *= doubleOf(operand);
    const isWhole: boolean = isInteger(product) && isInteger(operand);
    const whole: NumericValue | undefined = isWhole
      ? integerResult(bigIntOf(product) * bigIntOf(operand), [product, operand])
      : undefined;
    product = whole ?? new Double(double);
  }
  // The type is that of the widest operand, however large a result in between was.
  const isOfInts = product instanceof Long && operands.every((operand) => operand instanceof Int32);
  return isOfInts ? intOrLong(bigIntOf(product)) : product;
}

export function subtract(a: NumericValue, b: NumericValue): NumericValue {
  rejectDecimals(a, b);
  if (isInteger(a) && isInteger(b)) {
    const difference = integerResult(bigIntOf(a) - bigIntOf(b), [a, b]);
    if (difference !== undefined) return difference;
  }
  return new Double(doubleOf(a) - doubleOf(b));
}

export function divide(a: NumericValue, b: NumericValue): NumericValue {
  rejectDecimals(a, b);
  rejectUnless(!isZero(exactly(b)), "can't $divide by zero");
  return new Double(doubleOf(a) / doubleOf(b));
}

/** Adds doubles with about twice their precision: a second double holds the rounding errors. */
function sumOfDoubles(numbers: readonly NumericValue[]): number {
  let high = 0;
  let low = 0;
  // For infinities and NaN.
  let plain = 0;
  const add = (value: number) => {
    plain += value;
    const addend = value + low;
    const lostOfAddend = low - (addend - value);
    const sum = high + addend;
    const addendInSum = sum - high;
    low = lostOfAddend + (high - (sum - addendInSum) + (addend - addendInSum));
    high = sum;
  };
  for (const number of numbers) {
    // A long may not fit in a double, but its halves do.
    const rest = number instanceof Long ? bigIntOf(number) % 2n ** 32n : 0n;
    if (number instanceof Long) add(Number(rest));
    add(number instanceof Long ? Number(bigIntOf(number) - rest) : doubleOf(number));
  }
  return Number.isNaN(high) ? plain : high;
}

/** `$sum`. The result has the widest type of the numbers. Sums of integers are exact. */
export function sum(values: readonly Maybe[]): NumericValue {
  const numbers = values.filter(isNumber);
  rejectDecimals(...numbers);
  if (numbers.some(isDouble)) return new Double(sumOfDoubles(numbers));
  const exact = numbers.reduce((total, number) => total + bigIntOf(number), 0n);
  return integerResult(exact, numbers) ?? new Double(sumOfDoubles(numbers));
}

/** The first of the smallest (or greatest) values, without null and missing values. */
export function extreme(
  values: readonly Maybe[],
  isBetter: (a: BsonValue, b: BsonValue) => boolean,
): BsonValue {
  let best: Maybe;
  for (const value of values) {
    if (isNullish(value)) continue;
    if (best === undefined || isBetter(value, best)) best = value;
  }
  return best ?? null;
}
