import { type BsonValue, type Document, isDocument, isNumeric } from '../bson/document.ts';
import { MongoError, mongoError, outOfScope } from '../bson/mongo-error.ts';
import { keepBytes, spendForSort, spendSteps } from '../computation-limit.ts';
import { compareValues } from './compare.ts';
import { extractKeys, keyWithoutArrays } from './index-keys.ts';
import { toNearestDouble } from './numbers.ts';
import { splitPath } from './path.ts';
import { memoryOf } from './value-memory.ts';

export interface SortField {
  path: string;
  parts: readonly string[];
  direction: 1 | -1;
}

export type Sort = readonly SortField[];

/** Parses `{a: 1, 'b.c': -1}`. Throws MongoDB's errors for other directions. */
export function parseSort(spec: BsonValue): Sort {
  if (!isDocument(spec)) throw mongoError(15973, 'the $sort key specification must be an object');
  return [...spec].map(([path, direction]) => ({
    path,
    parts: parseSortPath(path),
    direction: parseDirection(path, direction),
  }));
}

function parseSortPath(path: string): string[] {
  if (path === '') throw mongoError(40352, 'FieldPath cannot be constructed with empty string');
  const parts = splitPath(path);
  for (const part of parts) {
    if (part === '') throw mongoError(15998, `FieldPath field names may not be empty strings: '${path}'`);
    if (part.startsWith('$'))
      throw mongoError(16410, `FieldPath field names may not start with '$': '${path}'`);
  }
  return parts;
}

function parseDirection(path: string, direction: BsonValue): 1 | -1 {
  if (isDocument(direction) && direction.has('$meta')) throw outOfScope('$meta in a sort');
  if (!isNumeric(direction)) throw mongoError(15974, `Illegal key in $sort specification: ${path}`);
  const number = toNearestDouble(direction);
  if (number !== 1 && number !== -1) {
    throw mongoError(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
  }
  return number;
}

/** Sorts the documents. The sort is stable. */
export function sortDocuments(documents: Iterable<Document>, sort: Sort): Document[] {
  const keyed = Array.from(documents, (document) => {
    keepBytes(memoryOf(document));
    return { document, key: sortKey(document, sort) };
  });
  spendForSort(keyed.length);
  keyed.sort((a, b) => compareSortKeys(a.key, b.key, sort));
  return keyed.map(({ document }) => document);
}

/**
 * The values by which the document sorts. An array sorts by its lowest element in an ascending sort and by its highest
 * in a descending one. A missing field sorts as null, and an empty array sorts below null.
 */
export function sortKey(document: Document, sort: Sort): BsonValue[] {
  const paths = sort.map(({ parts }) => parts);
  return keyWithoutArrays(document, paths) ?? leastKey(document, paths, sort);
}

/** The cost of finding and comparing a key of an array. */
const STEPS_PER_KEY = 5;

function leastKey(document: Document, paths: readonly (readonly string[])[], sort: Sort): BsonValue[] {
  try {
    const { keys } = extractKeys(document, paths);
    spendSteps(keys.length * STEPS_PER_KEY);
    return keys.reduce((least, key) => (compareSortKeys(key, least, sort) < 0 ? key : least));
  } catch (error) {
    if (error instanceof MongoError && error.codeName === 'CannotIndexParallelArrays') {
      throw mongoError('BadValue', 'cannot sort with keys that are parallel arrays');
    }
    throw error;
  }
}

export function compareSortKeys(a: readonly BsonValue[], b: readonly BsonValue[], sort: Sort): number {
  for (let index = 0; index < sort.length; index++) {
    const order = compareValues(a[index] as BsonValue, b[index] as BsonValue);
    if (order !== 0) return (sort[index] as SortField).direction * order;
  }
  return 0;
}
