import { Int32, Long } from 'bson';
import { type BsonValue, isLong, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { wholeOf } from '../../semantics/arithmetic.ts';
import { type CompileOperator, isNullish, type Operators, onArguments } from '../operator.ts';

const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

export const BIT_OPERATORS: Operators = {
  $bitAnd: folding(-1n, (a, b) => a & b),
  $bitOr: folding(0n, (a, b) => a | b),
  $bitXor: folding(0n, (a, b) => a ^ b),
  $bitNot: onArguments(1, ([value], name) => {
    if (isNullish(value)) return null;
    const whole = wholeNumber(value, name);
    return sameWidth(~wholeOf(whole), isLong(whole));
  }),
};

function folding(neutral: bigint, join: (a: bigint, b: bigint) => bigint): CompileOperator {
  return onArguments(ANY_NUMBER, (values, name) => {
    let result = neutral;
    let hasLong = false;
    let hasNull = false;
    for (const value of values) {
      if (isNullish(value)) {
        hasNull = true;
        continue;
      }
      const whole = wholeNumber(value, name);
      hasLong ||= isLong(whole);
      result = join(result, wholeOf(whole));
    }
    return hasNull ? null : sameWidth(result, hasLong);
  });
}

function wholeNumber(value: BsonValue, name: string): Int32 | Long {
  if (value instanceof Int32 || isLong(value)) return value;
  throw mongoError('TypeMismatch', `${name} only supports int and long operands, not ${typeName(value)}`);
}

function sameWidth(value: bigint, isWide: boolean): BsonValue {
  return isWide ? Long.fromBigInt(value) : new Int32(Number(value));
}
