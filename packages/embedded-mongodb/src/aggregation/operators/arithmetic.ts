import { Decimal128, Double, Int32, Long } from 'bson';
import { type BsonValue, isNumeric, type NumericValue, typeName } from '../../bson/document.ts';
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { decimalsOutOfScope, multiply, subtract } from '../../semantics/arithmetic.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import {
  argumentsOf,
  isNullish,
  numberOf,
  type Operators,
  onArguments,
  type Recurse,
  type Values,
} from '../operator.ts';
import type { Evaluate } from '../scope.ts';

export const ARITHMETIC_OPERATORS: Operators = {
  $multiply: compileMultiply,
  $subtract: onArguments(2, subtractTwo),
  $divide: onArguments(2, divide),
};

/** Returns null at the first null argument without evaluating the rest. */
function compileMultiply(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const compiled = argumentsOf(operand).map((argument) => recurse(argument));
  return (scope) => {
    const values: NumericValue[] = [];
    for (const evaluate of compiled) {
      const value = evaluate(scope);
      if (isNullish(value)) return null;
      values.push(numberOf(value, name, 'TypeMismatch'));
    }
    return multiplyAll(values);
  };
}

function multiplyAll(values: readonly NumericValue[]): NumericValue {
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
  if (isNumeric(a) && isNumeric(b))
    return subtract(a, b) ?? new Double(toNearestDouble(a) - toNearestDouble(b));
  if (a instanceof Date && (b instanceof Date || isNumeric(b))) throw outOfScope('$subtract of dates');
  throw mongoError('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
}

function divide([dividend, divisor]: Values, name: string): BsonValue {
  if (isNullish(dividend) || isNullish(divisor)) return null;
  const [a, b] = [numberOf(dividend, name, 'TypeMismatch'), numberOf(divisor, name, 'TypeMismatch')];
  if (a instanceof Decimal128 || b instanceof Decimal128) throw decimalsOutOfScope();
  const by = toNearestDouble(b);
  if (by === 0) throw mongoError('BadValue', "can't $divide by zero");
  return new Double(toNearestDouble(a) / by);
}
