import { Decimal128, Double, Int32, Long } from 'bson';
import type { NumericValue } from '../bson/document.ts';
import { type MongoError, outOfScope } from '../bson/mongo-error.ts';
import { toNearestDouble } from './numbers.ts';

/*
 * Arithmetic that keeps BSON's types as MongoDB does: an int32 that overflows becomes an int64, and any double operand
 * makes the result a double. The result is undefined if an int64 overflows: callers differ in how they handle it.
 */

interface Operation {
  whole(a: bigint, b: bigint): bigint;
  double(a: number, b: number): number;
}

type Calculate = (a: NumericValue, b: NumericValue) => NumericValue | undefined;

export const add = calculation({ whole: (a, b) => a + b, double: (a, b) => a + b });
export const subtract = calculation({ whole: (a, b) => a - b, double: (a, b) => a - b });
export const multiply = calculation({ whole: (a, b) => a * b, double: (a, b) => a * b });

function calculation({ whole, double }: Operation): Calculate {
  return (a, b) => {
    if (a instanceof Decimal128 || b instanceof Decimal128) throw decimalsOutOfScope();
    if (a instanceof Double || b instanceof Double)
      return new Double(double(toNearestDouble(a), toNearestDouble(b)));
    const result = whole(wholeOf(a), wholeOf(b));
    if (a instanceof Int32 && b instanceof Int32 && BigInt.asIntN(32, result) === result)
      return new Int32(Number(result));
    return BigInt.asIntN(64, result) === result ? Long.fromBigInt(result) : undefined;
  };
}

/** Decimals are stored, compared, and indexed, but not calculated with. */
export function decimalsOutOfScope(): MongoError {
  return outOfScope('arithmetic with a decimal128');
}

export function wholeOf(value: Int32 | Long): bigint {
  return value instanceof Int32 ? BigInt(value.value) : value.toBigInt();
}
