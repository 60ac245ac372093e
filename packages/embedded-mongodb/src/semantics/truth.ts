import { Decimal128 } from 'bson';
import { BsonUndefined, type BsonValue, isNumeric } from '../bson/document.ts';
import { exactDecimal, toNearestDouble } from './numbers.ts';

/** How MongoDB reads a value as yes or no: false, null, undefined, a missing field and zero are no; all else is yes. */
export function truthOf(value: BsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value instanceof BsonUndefined)
    return false;
  // Not by way of a double: 1E-400 is not zero.
  if (value instanceof Decimal128) return exactDecimal(value)?.coefficient !== 0n;
  return !isNumeric(value) || toNearestDouble(value) !== 0;
}
