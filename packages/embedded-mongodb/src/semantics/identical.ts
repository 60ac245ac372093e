import { Decimal128, Double } from 'bson';
import { type BsonValue, typeNumber } from '../bson/document.ts';
import { compareValues } from './compare.ts';

/**
 * Whether two values are stored as the same bytes: same types all the way down, unlike equalValues for which 1 is 1.0.
 * An update that leaves identical values is no change.
 */
export function identicalValues(a: BsonValue, b: BsonValue): boolean {
  if (a === b) return true;
  if (typeNumber(a) !== typeNumber(b)) return false;
  if (a instanceof Map && b instanceof Map) return identicalFields([...a], [...b]);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => identicalValues(value, b[index] as BsonValue));
  }
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value);
  if (a instanceof Decimal128 && b instanceof Decimal128) return Buffer.compare(a.bytes, b.bytes) === 0;
  return compareValues(a, b) === 0;
}

function identicalFields(a: [string, BsonValue][], b: [string, BsonValue][]): boolean {
  return (
    a.length === b.length &&
    a.every(([name, value], index) => {
      const [otherName, otherValue] = b[index] as [string, BsonValue];
      return name === otherName && identicalValues(value, otherValue);
    })
  );
}
