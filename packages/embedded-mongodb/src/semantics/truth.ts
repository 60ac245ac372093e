import { Decimal128 } from 'bson';
import { type BsonValue, isNumeric } from '../bson/document.ts';
import { exactDecimal, toNearestDouble } from './numbers.ts';

/** Converts a value to a boolean like MongoDB: false, null, a missing field, and zero are false, all else is true. */
export function truthOf(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  // Does not convert to a double, because 1E-400 is not zero.
  if (value instanceof Decimal128) return exactDecimal(value)?.coefficient !== 0n;
  return !isNumeric(value) || toNearestDouble(value) !== 0;
}
