import { Decimal128, Double, Int32, Long } from 'bson';
import {
  type BsonValue,
  integer,
  isLong,
  isNumeric,
  type NumericValue,
  typeName,
} from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import {
  add,
  divideDecimals,
  multiply,
  remainderOfDecimals,
  subtract,
  toDecimal,
  wholeOf,
} from '../../semantics/arithmetic.ts';
import { compareNumbers, exactDecimal, toNearestDouble } from '../../semantics/numbers.ts';
import { quantize } from '../../semantics/quantize.ts';
import { isNullish, numberOf, type Operators, onArguments, untilNull, type Values } from '../operator.ts';
import { dateAt } from '../zoned-date.ts';

export const ARITHMETIC_OPERATORS: Operators = {
  $add: untilNull(toAddend, addAll),
  $multiply: untilNull((value, name) => numberOf(value, name, 'TypeMismatch'), multiplyAll),
  $subtract: onArguments(2, subtractTwo),
  $divide: onArguments(2, divide),
  $mod: onArguments(2, modulo),
};

function toAddend(value: BsonValue, name: string): NumericValue | Date {
  return value instanceof Date ? value : numberOf(value, name, 'TypeMismatch');
}

function addAll(values: (NumericValue | Date)[]): BsonValue {
  const at = values.findIndex((value) => value instanceof Date);
  if (at < 0) return sumOf(values as NumericValue[]);
  // MongoDB sums the numbers before the date first, and rounds the numbers after it one by one.
  const [date, ...rest] = values.slice(at) as [Date, ...(NumericValue | Date)[]];
  const numbers = [sumOf(values.slice(0, at) as NumericValue[]), ...rest].map((value) => {
    if (value instanceof Date) throw mongoError(16612, 'only one date allowed in an $add expression');
    return millisecondsOf(value);
  });
  return dateAfter(date, numbers);
}

/** Adds from left to right, without the error compensation of `$sum`. */
function sumOf(values: readonly NumericValue[]): NumericValue {
  if (values.every((value) => value instanceof Int32))
    return integer(values.reduce((sum, { value }) => sum + value, 0));
  return values.reduce(
    (sum, value) => add(sum, value) ?? new Double(toNearestDouble(sum) + toNearestDouble(value)),
    Long.ZERO as NumericValue,
  );
}

/** Rounds the halves of doubles away from zero, those of decimals to even. */
function millisecondsOf(value: NumericValue): bigint {
  if (value instanceof Decimal128) {
    const exact = exactDecimal(value);
    return exact === undefined ? beyondLong() : quantize(exact, 0, 'halfToEven');
  }
  if (!(value instanceof Double)) return wholeOf(value);
  if (!Number.isFinite(value.value)) return beyondLong();
  return BigInt(Math.sign(value.value) * Math.round(Math.abs(value.value)));
}

function beyondLong(): never {
  throw mongoError('Overflow', 'date overflow');
}

function dateAfter(date: Date, numbers: readonly bigint[]): Date {
  let ms = BigInt(date.getTime());
  for (const number of numbers) {
    ms += number;
    if (BigInt.asIntN(64, ms) !== ms) beyondLong();
  }
  return dateAt(Number(ms));
}

function multiplyAll(values: NumericValue[]): NumericValue {
  let product: NumericValue = Long.ONE;
  // Like MongoDB, also multiplies as doubles, in case the integers overflow.
  let double = 1;
  for (const value of values) {
    double *= toNearestDouble(value);
    const next = multiply(product, value);
    product = next === undefined || next instanceof Double ? new Double(double) : next;
  }
  if (!(product instanceof Long) || values.some((value) => !(value instanceof Int32))) return product;
  const int = product.toInt();
  return product.equals(int) ? new Int32(int) : product;
}

function subtractTwo([a, b]: Values): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return dateAfter(a, [-millisecondsOf(b)]);
  if (isNumeric(a) && isNumeric(b))
    return subtract(a, b) ?? new Double(toNearestDouble(a) - toNearestDouble(b));
  throw mongoError('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

/** Does not convert to a double, in which a small decimal would also be zero. */
function isZero(value: NumericValue): boolean {
  return compareNumbers(value, new Int32(0)) === 0;
}

function divide([dividend, divisor]: Values, name: string): BsonValue {
  if (isNullish(dividend) || isNullish(divisor)) return null;
  const [a, b] = [numberOf(dividend, name, 'TypeMismatch'), numberOf(divisor, name, 'TypeMismatch')];
  if (isZero(b)) throw mongoError('BadValue', "can't $divide by zero");
  if (a instanceof Decimal128 || b instanceof Decimal128) return divideDecimals(toDecimal(a), toDecimal(b));
  return new Double(toNearestDouble(a) / toNearestDouble(b));
}

function modulo([dividend, divisor]: Values, name: string): BsonValue {
  if (isNullish(dividend) || isNullish(divisor)) return null;
  const [a, given] = [numberOf(dividend, name, 16611), numberOf(divisor, name, 16611)];
  const isDecimal = a instanceof Decimal128 || given instanceof Decimal128;
  if (isZero(given)) throw mongoError(isDecimal ? 5733415 : 16610, "can't $mod by zero");
  if (isDecimal) return remainderOfDecimals(toDecimal(a), toDecimal(given));
  const b = asInt(given);
  if (a instanceof Double || b instanceof Double) return new Double(toNearestDouble(a) % toNearestDouble(b));
  const remainder = wholeOf(a as Int32 | Long) % wholeOf(b as Int32 | Long);
  return isLong(a) || isLong(b) ? Long.fromBigInt(remainder) : new Int32(Number(remainder));
}

/** Before version 7.2, MongoDB converts a double divisor with an int32 value to an int32. */
function asInt(divisor: NumericValue): NumericValue {
  const isInt = divisor instanceof Double && divisor.value === (divisor.value | 0);
  return isInt ? new Int32(divisor.value) : divisor;
}
