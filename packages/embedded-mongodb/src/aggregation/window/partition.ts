import type { BsonValue, Document } from '../../bson/document.ts';
import { compareSortKeys, type Sort } from '../../semantics/sort.ts';
import type { Scope } from '../scope.ts';

export type WindowSort = Sort;

/** Documents that are looked at together, in order. */
export interface Partition {
  sort: WindowSort;
  rows: readonly Row[];
}

export interface Row {
  document: Document;
  scope: Scope;
  sortKey: BsonValue[];
}

/** Whether two rows of a partition stand side by side in its order. */
export function areTied(a: Row, b: Row, sort: WindowSort): boolean {
  return compareSortKeys(a.sortKey, b.sortKey, sort) === 0;
}
