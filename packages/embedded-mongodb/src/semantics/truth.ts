import { Decimal128 } from 'bson';
import { type BsonValue, isNumeric } from '../bson/document.ts';
import { exactDecimal, toNearestDouble } from './numbers.ts';

/** How MongoDB converts a value to a boolean: false, null, a missing field and zero are false, all else is true. */
export function truthOf(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false) return false;
  // Not through a double: 1E-400 is not zero.
  if (value instanceof Decimal128) return exactDecimal(value)?.coefficient !== 0n;
  return !isNumeric(value) || toNearestDouble(value) !== 0;
}
