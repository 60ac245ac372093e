import { type BsonValue, type Document, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../numbers.ts';

type Slice = (array: BsonValue[]) => BsonValue[];

/** Parses find's `{$slice: n}` or `{$slice: [skip, limit]}`; undefined for the aggregation operator `$slice`. */
export function parseFindSlice(
  parts: readonly string[],
  operand: BsonValue,
): ((document: Document) => Document) | undefined {
  const slice = parseSlice(operand);
  return slice && ((document) => sliceAt(document, parts, slice));
}

function parseSlice(operand: BsonValue): Slice | undefined {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((value) =>
    isNumeric(value) ? Math.trunc(toNearestDouble(value)) : undefined,
  );
  const [first, limit] = numbers;
  if (first === undefined || (Array.isArray(operand) && (limit === undefined || numbers.length !== 2)))
    return undefined;
  if (limit === undefined) return (array) => (first < 0 ? array.slice(first) : array.slice(0, first));
  if (limit <= 0) throw mongoError(28724, '$slice limit must be positive');
  return (array) => array.slice(first).slice(0, limit);
}

function sliceAt(document: Document, [name, ...rest]: readonly string[], slice: Slice): Document {
  const value = document.get(name as string);
  if (value === undefined) return document;
  return new Map(document).set(name as string, slicedValue(value, rest, slice));
}

function slicedValue(value: BsonValue, parts: readonly string[], slice: Slice): BsonValue {
  if (parts.length === 0) return Array.isArray(value) ? slice(value) : value;
  if (value instanceof Map) return sliceAt(value, parts, slice);
  // An array within an array does not change.
  if (!Array.isArray(value)) return value;
  return value.map((element) => (element instanceof Map ? sliceAt(element, parts, slice) : element));
}
