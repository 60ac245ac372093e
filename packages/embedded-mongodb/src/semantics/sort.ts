import { type BsonValue, type Document, isDocument, isNumeric } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import type { Collation } from './collation.ts';
import { compareValues } from './compare.ts';
import { extractKeys } from './index-keys.ts';
import { toNearestDouble } from './numbers.ts';
import { splitPath } from './path.ts';

export interface SortField {
  path: string;
  parts: readonly string[];
  direction: 1 | -1;
  collation: Collation | undefined;
}

export type Sort = readonly SortField[];

/** Parses `{a: 1, 'b.c': -1}`. Throws MongoDB's errors on other directions and on `$meta`, which is not supported. */
export function parseSort(spec: BsonValue, collation?: Collation): Sort {
  if (!isDocument(spec)) throw mongoError(15973, 'the $sort key specification must be an object');
  return [...spec].map(([path, direction]) => ({
    path: checkedPath(path),
    parts: splitPath(path),
    direction: parseDirection(path, direction),
    collation,
  }));
}

function checkedPath(path: string): string {
  if (path === '') throw mongoError(40352, 'FieldPath cannot be constructed with empty string');
  for (const part of splitPath(path)) {
    if (part === '') throw mongoError(15998, `FieldPath field names may not be empty strings: '${path}'`);
    if (part.startsWith('$'))
      throw mongoError(16410, `FieldPath field names may not start with '$': '${path}'`);
  }
  return path;
}

function parseDirection(path: string, direction: BsonValue): 1 | -1 {
  if (isDocument(direction) && direction.has('$meta')) {
    throw mongoError(40218, `sorting '${path}' by $meta needs metadata that is not available`);
  }
  if (!isNumeric(direction)) throw mongoError(15974, `Illegal key in $sort specification: ${path}`);
  const number = toNearestDouble(direction);
  if (number !== 1 && number !== -1) {
    throw mongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  return number;
}

/** The documents in order; those that compare as equal keep the order they came in. */
export function sortDocuments(documents: Iterable<Document>, sort: Sort): Document[] {
  const keyed = Array.from(documents, (document) => ({ document, key: sortKey(document, sort) }));
  keyed.sort((a, b) => compareSortKeys(a.key, b.key, sort));
  return keyed.map(({ document }) => document);
}

/**
 * The values by which the document sorts. An array sorts by its lowest element upwards and by its highest
 * downwards, a missing field as null, an empty array below null.
 */
export function sortKey(document: Document, sort: Sort): BsonValue[] {
  const plain = plainSortKey(document, sort);
  if (plain !== undefined) return plain;
  const keys = arraySortKeys(document, sort);
  return keys.reduce((least, key) => (compareSortKeys(key, least, sort) < 0 ? key : least));
}

export function compareSortKeys(a: readonly BsonValue[], b: readonly BsonValue[], sort: Sort): number {
  for (let index = 0; index < sort.length; index++) {
    const { direction, collation } = sort[index] as SortField;
    const order = compareValues(a[index] as BsonValue, b[index] as BsonValue, collation);
    if (order !== 0) return direction * order;
  }
  return 0;
}

/** The sort key where no path meets an array; undefined where one does. */
function plainSortKey(document: Document, sort: Sort): BsonValue[] | undefined {
  const key: BsonValue[] = [];
  for (const { parts } of sort) {
    let current: BsonValue | undefined = document;
    for (const part of parts) {
      current = current instanceof Map ? current.get(part) : undefined;
      if (Array.isArray(current)) return undefined;
    }
    key.push(current ?? null);
  }
  return key;
}

function arraySortKeys(document: Document, sort: Sort): BsonValue[][] {
  try {
    const paths = sort.map(({ parts }) => parts);
    return extractKeys(document, paths, false).keys;
  } catch (error) {
    if (error instanceof MongoError && error.codeName === 'CannotIndexParallelArrays') {
      throw mongoError('BadValue', 'cannot sort with keys that are parallel arrays');
    }
    throw error;
  }
}
