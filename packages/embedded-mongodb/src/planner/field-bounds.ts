import {
  BSON_UNDEFINED,
  BSONRegExp,
  BsonUndefined,
  type BsonValue,
  MaxKey,
  MinKey,
} from '../bson/document.ts';
import { containsText, valuesWithKeysOfEquals } from '../semantics/collated-keys.ts';
import { type Collation, sameCollation } from '../semantics/collation.ts';
import { compareValues, typeClassOf } from '../semantics/compare.ts';
import type { PathNode } from '../semantics/filter.ts';
import type { KeyField } from '../storage/index-definition.ts';

export interface RangeEnd {
  value: BsonValue;
  inclusive: boolean;
}

/** The index keys of one field that can belong to matching documents. */
export type FieldBounds =
  /** Distinct values. */
  | { kind: 'points'; values: BsonValue[] }
  /** Values of one type class; an end that is absent reaches to the end of the class. */
  | { kind: 'range'; above: RangeEnd | undefined; below: RangeEnd | undefined };

const DIGITS = /^\d+$/;

/**
 * The tightest bounds that the predicates put on a field of an index, or undefined for none.
 *
 * With arrays about (`isMultikey`), different elements may satisfy different predicates: `{a: {$gt: 5, $lt: 3}}`
 * matches `a: [2, 6]`. Then only one predicate bounds the scan; the filter itself decides about the rest.
 */
export function boundsOf(
  field: KeyField,
  predicates: readonly PathNode[],
  isMultikey: boolean,
  collations: Collations = BINARY,
): FieldBounds | undefined {
  // `a.0` may mean a place in an array or a field's name: the filter tries both, an index has only one of them.
  if (field.steps.some((step) => DIGITS.test(step))) return undefined;
  const bounds = predicates
    .filter(({ path }) => path === field.path)
    .map((predicate) => withCollation(boundsOfPredicate(predicate), collations))
    .filter((found) => found !== undefined);
  const points = bounds
    .filter((found) => found.kind === 'points')
    .sort((a, b) => a.values.length - b.values.length);
  if (points[0] !== undefined) return points[0];
  if (field.hashed) return undefined;
  const ranges = bounds.filter((found) => found.kind === 'range');
  if (isMultikey || ranges.length < 2) return ranges[0];
  return ranges.reduce((a, b) => (isSameClass(a, b) ? intersection(a, b) : a));
}

/** How strings compare in the index, and in the query. */
export interface Collations {
  index: Collation | undefined;
  query: Collation | undefined;
}

const BINARY: Collations = { index: undefined, query: undefined };

/**
 * What is left of bounds where strings do not compare by their bytes: only points in an index of the query's own
 * collation, as its keys have no order.
 */
function withCollation(
  bounds: FieldBounds | undefined,
  { index, query }: Collations,
): FieldBounds | undefined {
  if (bounds === undefined || (index === undefined && query === undefined)) return bounds;
  if (bounds.kind === 'range') {
    return [bounds.above, bounds.below].some((end) => end !== undefined && containsText(end.value))
      ? undefined
      : bounds;
  }
  if (index === undefined || !sameCollation(index, query))
    return bounds.values.some(containsText) ? undefined : bounds;
  const values = bounds.values.map((value) => valuesWithKeysOfEquals(value, index));
  return values.every((found) => found !== undefined) ? { kind: 'points', values: values.flat() } : undefined;
}

type Range = FieldBounds & { kind: 'range' };

function boundsOfPredicate({ predicate }: PathNode): FieldBounds | undefined {
  if (predicate.kind === 'in') {
    if (predicate.regexes.length > 0) return undefined;
    return { kind: 'points', values: predicate.values.flatMap(keysEqualTo) };
  }
  if (predicate.kind !== 'compare') return undefined;
  const { operator, value } = predicate;
  if (operator === 'eq') return { kind: 'points', values: keysEqualTo(value) };
  if (value === null) {
    // Nothing lies above or below null within its class.
    return operator === 'gte' || operator === 'lte'
      ? { kind: 'points', values: keysEqualTo(null) }
      : undefined;
  }
  if (!hasRanges(value)) return undefined;
  const end = { value, inclusive: operator === 'gte' || operator === 'lte' };
  const isAbove = operator === 'gt' || operator === 'gte';
  return { kind: 'range', above: isAbove ? end : undefined, below: isAbove ? undefined : end };
}

/** The index keys under which documents stand that equal the value. */
function keysEqualTo(value: BsonValue): BsonValue[] {
  // A missing field has the key null; null also finds what counts as missing.
  if (value === null || value instanceof BsonUndefined) return [null, BSON_UNDEFINED];
  if (!Array.isArray(value)) return [value];
  // An array has its elements as keys, an empty one undefined; inside another array it is a key itself.
  return [value.length === 0 ? BSON_UNDEFINED : (value[0] as BsonValue), value];
}

/** MinKey and MaxKey compare across types; arrays and documents are rare enough to leave to the filter. */
function hasRanges(value: BsonValue): boolean {
  return !(
    value instanceof MinKey ||
    value instanceof MaxKey ||
    value instanceof BsonUndefined ||
    value instanceof BSONRegExp ||
    value instanceof Map ||
    Array.isArray(value)
  );
}

export function classOfRange({ above, below }: Range) {
  return typeClassOf((above ?? (below as RangeEnd)).value);
}

function isSameClass(a: Range, b: Range): boolean {
  return classOfRange(a) === classOfRange(b);
}

function intersection(a: Range, b: Range): Range {
  return { kind: 'range', above: stricter(a.above, b.above, 1), below: stricter(a.below, b.below, -1) };
}

function stricter(a: RangeEnd | undefined, b: RangeEnd | undefined, direction: 1 | -1): RangeEnd | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const order = compareValues(a.value, b.value) * direction;
  if (order !== 0) return order > 0 ? a : b;
  return a.inclusive ? b : a;
}
