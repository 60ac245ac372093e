import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isLong, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import {
  divideDecimals,
  multiply,
  remainderOfDecimals,
  subtract,
  toDecimal,
  wholeOf,
} from '../../semantics/arithmetic.ts';
import { compareNumbers, toNearestDouble } from '../../semantics/numbers.ts';
import { NumberSum } from '../number-sum.ts';
import { isNullish, type Operators, onArguments } from '../operator.ts';

type Values = (BsonValue | undefined)[];
const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

export const ARITHMETIC_OPERATORS: Operators = {
  $add: onArguments(ANY_NUMBER, addAll),
  $multiply: onArguments(ANY_NUMBER, multiplyAll),
  $subtract: onArguments(2, subtractTwo),
  $divide: onArguments(2, divide),
  $mod: onArguments(2, modulo),
};

/** What MongoDB does when an int64 overflows in an expression: it goes on with a double. */
function orDouble(result: NumericValue | undefined, double: number): NumericValue {
  return result ?? new Double(double);
}

function addAll(values: Values): BsonValue {
  const sum = new NumberSum();
  let hasDate = false;
  for (const value of values) {
    if (isNullish(value)) return null;
    if (value instanceof Date) {
      if (hasDate) throw mongoError(16612, 'only one date allowed in an $add expression');
      hasDate = true;
      sum.add(Long.fromNumber(value.getTime()));
    } else if (isNumeric(value)) {
      sum.add(value);
    } else {
      throw mongoError('TypeMismatch', `$add only supports numeric or date types, not ${typeName(value)}`);
    }
  }
  return hasDate ? dateAt(toNearestDouble(sum.total())) : sum.total();
}

const MAX_DATE_MS = 8.64e15;

function dateAt(ms: number): Date {
  const whole = Math.round(ms);
  if (!(Math.abs(whole) <= MAX_DATE_MS)) throw mongoError('Overflow', 'date overflow in $add or $subtract');
  return new Date(whole);
}

function multiplyAll(values: Values): BsonValue {
  let product: NumericValue = new Int32(1);
  for (const value of values) {
    if (isNullish(value)) return null;
    if (!isNumeric(value))
      throw mongoError('TypeMismatch', `$multiply only supports numeric types, not ${typeName(value)}`);
    product = orDouble(multiply(product, value), toNearestDouble(product) * toNearestDouble(value));
  }
  return product;
}

function subtractTwo([a, b]: Values): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return Long.fromNumber(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return dateAt(a.getTime() - toNearestDouble(b));
  if (isNumeric(a) && isNumeric(b)) return orDouble(subtract(a, b), toNearestDouble(a) - toNearestDouble(b));
  throw mongoError('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

/** Not by way of a double, for which a small decimal is zero as well. */
function isZero(value: NumericValue): boolean {
  return compareNumbers(value, new Int32(0)) === 0;
}

function divide([a, b]: Values): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) {
    throw mongoError(
      'TypeMismatch',
      `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`,
    );
  }
  if (isZero(b)) throw mongoError('BadValue', "can't $divide by zero");
  if (a instanceof Decimal128 || b instanceof Decimal128) return divideDecimals(toDecimal(a), toDecimal(b));
  return new Double(toNearestDouble(a) / toNearestDouble(b));
}

function modulo([a, b]: Values): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b)) {
    throw mongoError(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  }
  if (isZero(b)) throw mongoError(16610, "can't $mod by zero");
  if (a instanceof Decimal128 || b instanceof Decimal128)
    return remainderOfDecimals(toDecimal(a), toDecimal(b));
  if (a instanceof Double || b instanceof Double) return new Double(toNearestDouble(a) % toNearestDouble(b));
  const remainder = wholeOf(a) % wholeOf(b);
  return isLong(a) || isLong(b) ? Long.fromBigInt(remainder) : new Int32(Number(remainder));
}
