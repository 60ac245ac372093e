import type { BsonValue, Document } from '../../bson/document.ts';
import type { CompiledRegex } from './regex.ts';

export type ComparisonOperator = 'eq' | 'gt' | 'gte' | 'lt' | 'lte';

/** What one value (or, as undefined, a missing one) is asked. */
export type Predicate =
  | { kind: 'compare'; operator: ComparisonOperator; value: BsonValue }
  | { kind: 'in'; values: BsonValue[]; regexes: CompiledRegex[] }
  | { kind: 'regex'; regex: CompiledRegex }
  | { kind: 'exists' }
  | { kind: 'type'; types: ReadonlySet<number>; matchesAnyNumber: boolean }
  | { kind: 'mod'; divisor: bigint; remainder: bigint }
  | { kind: 'size'; size: number }
  | { kind: 'bits'; mask: bigint; wanted: 'allSet' | 'allClear' | 'anySet' | 'anyClear' }
  | ElemMatch;

export type ElemMatch =
  /** `{$elemMatch: {<field>: …}}`: an element that is a document and matches the filter. */
  | { kind: 'elemMatchDocument'; element: FilterNode }
  /** `{$elemMatch: {$gt: …}}`: an element that meets all; the nodes' paths are empty. */
  | { kind: 'elemMatchValue'; element: FilterNode };

/** A predicate on what a dotted path reaches. `path` is empty inside of elemMatchValue: the element itself. */
export interface PathNode {
  kind: 'path';
  path: string;
  parts: readonly string[];
  predicate: Predicate;
  /** See PathTest: false for the predicates that ask about the array itself. */
  expandsLeafArray: boolean;
  test(value: BsonValue | undefined): boolean;
}

/** `$expr` or `$jsonSchema`: a condition over the whole document. */
export interface DocumentNode {
  kind: 'document';
  test(document: Document): boolean;
}

/**
 * A parsed filter. `$ne`, `$nin`, `$exists: false` and `$not` are `not` nodes over what they negate; `$all`
 * is an `and`. The top is always an `and` of the filter's fields, flattened, so that a planner finds all
 * conditions that must hold among its children.
 */
export type FilterNode =
  | { kind: 'and'; children: FilterNode[] }
  | { kind: 'or'; children: FilterNode[] }
  | { kind: 'nor'; children: FilterNode[] }
  | { kind: 'not'; child: FilterNode }
  | { kind: 'never' }
  | DocumentNode
  | PathNode;
