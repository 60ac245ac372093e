import { type BsonValue, type Document, isDocument, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../collation.ts';
import { firstMatchingElement } from '../filter/match.ts';
import { parseFilter } from '../filter.ts';
import { toNearestDouble } from '../numbers.ts';

/** Changes the document's field at a path: an array to some of its elements. */
export type ArrayProjection = (document: Document) => Document;

/** `{$slice: n}` or `{$slice: [skip, limit]}` of find; undefined where it is the aggregation's `$slice`. */
export function parseFindSlice(parts: readonly string[], operand: BsonValue): ArrayProjection | undefined {
  if (isNumeric(operand)) {
    const count = sliceNumber(operand);
    return (document) =>
      mapArrayAt(document, parts, (array) => (count >= 0 ? array.slice(0, count) : array.slice(count)));
  }
  if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(isNumeric)) return undefined;
  const [skip, limit] = operand.map(sliceNumber) as [number, number];
  if (limit <= 0) throw mongoError(28724, '$slice limit must be positive');
  return (document) =>
    mapArrayAt(document, parts, (array) => {
      const start = skip >= 0 ? skip : Math.max(array.length + skip, 0);
      return array.slice(start, start + limit);
    });
}

function sliceNumber(value: BsonValue): number {
  return isNumeric(value) ? Math.trunc(toNearestDouble(value)) : 0;
}

function mapArrayAt(
  document: Document,
  parts: readonly string[],
  change: (array: BsonValue[]) => BsonValue[],
): Document {
  const [name, ...rest] = parts as [string, ...string[]];
  const value = document.get(name);
  const changed =
    rest.length === 0 ? (Array.isArray(value) ? change(value) : value) : mapWithin(value, rest, change);
  return changed === undefined || changed === value ? document : new Map(document).set(name, changed);
}

function mapWithin(
  value: BsonValue | undefined,
  parts: readonly string[],
  change: (array: BsonValue[]) => BsonValue[],
): BsonValue | undefined {
  if (value instanceof Map) return mapArrayAt(value, parts, change);
  return Array.isArray(value)
    ? value.map((element) => mapWithin(element, parts, change) as BsonValue)
    : value;
}

/** `{$elemMatch: …}` of find: the array with only its first element that matches; without one the field goes. */
export function parseElemMatchProjection(
  path: string,
  operand: BsonValue,
  collation?: Collation,
): ArrayProjection {
  if (path.includes('.')) throw mongoError(31275, 'Cannot use $elemMatch projection on a nested field');
  if (!isDocument(operand))
    throw mongoError(31274, `elemMatch: Invalid argument, object required, but got a value`);
  const filter = parseFilter(new Map([[path, new Map([['$elemMatch', operand]])]]), { collation });
  const node = filter.kind === 'and' ? filter.children[0] : undefined;
  const predicate = node?.kind === 'path' ? node.predicate : undefined;
  if (predicate?.kind !== 'elemMatchDocument' && predicate?.kind !== 'elemMatchValue') {
    throw new Error('$elemMatch was parsed to something else');
  }
  return (document) => {
    const array = document.get(path);
    const index = firstMatchingElement(predicate, array);
    const result = new Map(document);
    if (index === undefined) result.delete(path);
    else result.set(path, [(array as BsonValue[])[index] as BsonValue]);
    return result;
  };
}

/** `'a.$': 1` of find: the array with only the element that the filter matched. */
export function keepMatchedElement(
  document: Document,
  parts: readonly string[],
  index: number | undefined,
): Document {
  const [name, ...rest] = parts as [string, ...string[]];
  const value = document.get(name);
  if (Array.isArray(value)) {
    if (index === undefined || index >= value.length) {
      throw mongoError(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    }
    return new Map(document).set(name, [value[index] as BsonValue]);
  }
  if (value instanceof Map && rest.length > 0)
    return new Map(document).set(name, keepMatchedElement(value, rest, index));
  return document;
}
