import type { BsonValue, Document } from '../../src/bson/document.ts';
import { wholeNumber } from './numbers.ts';
import { compareLists, type Maybe } from './order.ts';
import { compareKeys, keysOf } from './paths.ts';
import { Rejected, rejectUnless } from './rejected.ts';

/** A sort: the key of a document, and the order of keys. */
export interface Sort {
  keyOf(document: Document): Maybe[];
  compare(a: readonly Maybe[], b: readonly Maybe[]): number;
}

export function directionOf(value: BsonValue | undefined): number {
  const whole = wholeNumber(value);
  rejectUnless(whole === 1n || whole === -1n, '$sort key ordering must be 1 or -1');
  return Number(whole);
}

/** A document with arrays has several keys and sorts by the first in the order of the sort. */
export function parseSort(specification: Document): Sort {
  const paths = [...specification.keys()].map((path) => path.split('.'));
  const directions = [...specification.values()].map(directionOf);
  return {
    keyOf(document) {
      const keys = keysWithoutCode(document, paths);
      return keys.reduce((best, key) => (compareKeys(key, best, directions) < 0 ? key : best));
    },
    compare: (a, b) => compareKeys(a, b, directions),
  };
}

/** Only an index rejects parallel arrays with a known code. */
function keysWithoutCode(document: Document, paths: readonly (readonly string[])[]): Maybe[][] {
  try {
    return keysOf(document, paths);
  } catch (error) {
    if (error instanceof Rejected) throw new Rejected(error.message);
    throw error;
  }
}

/** The documents in order, and whether the order is unique. */
export function sortDocuments(
  documents: readonly Document[],
  sort: Sort,
): { sorted: Document[]; isTotal: boolean } {
  const keyed = documents.map((document) => ({ document, key: sort.keyOf(document) }));
  keyed.sort((a, b) => sort.compare(a.key, b.key));
  const isTotal = keyed.every(
    ({ key }, index) => index === 0 || compareLists(key, keyed[index - 1]?.key ?? []) !== 0,
  );
  return { sorted: keyed.map(({ document }) => document), isTotal };
}

/** Groups of documents with equal sort keys, in order. */
export function tiesOf(documents: readonly Document[], sort: Sort): Document[][] {
  const ties: Document[][] = [];
  let last: Maybe[] | undefined;
  for (const document of sortDocuments(documents, sort).sorted) {
    const key = sort.keyOf(document);
    if (last !== undefined && sort.compare(last, key) === 0) ties.at(-1)?.push(document);
    else ties.push([document]);
    last = key;
  }
  return ties;
}
