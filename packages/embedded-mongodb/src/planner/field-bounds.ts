import { BSON_UNDEFINED, type BsonValue } from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
import { TYPE_CLASS, type TypeClass, typeClassOf } from '../semantics/compare.ts';
import type { PathNode } from '../semantics/filter.ts';
import { encodeKey, prefixUpperBound, typeClassBounds } from '../semantics/key-encoding.ts';
import type { KeyField } from '../storage/index-definition.ts';
import type { KeyRange } from '../storage/scan.ts';

/** The index keys of one field that documents matching the predicates can have. */
export interface FieldBounds {
  /** Ascending, without overlap. */
  ranges: KeyRange[];
  /** Whether each range holds the keys of one value. */
  arePoints: boolean;
  /** The predicates that every document with an entry in the ranges satisfies. */
  served: readonly PathNode[];
}

type Direction = KeyField['direction'];

/** The cost of writing the key of a value and sorting it among the others. */
const STEPS_PER_VALUE = 20;

const DIGITS = /^\d+$/;

/**
 * Returns the tightest bounds that the predicates put on a field of an index, or undefined if they do not bound it.
 *
 * In a multikey field, different elements of an array can satisfy different predicates: `{a: {$gt: 5, $lt: 3}}`
 * matches `a: [2, 6]`. Therefore only one predicate bounds the scan of a multikey field.
 */
export function boundsOf(
  { path, steps, direction }: KeyField,
  predicates: readonly PathNode[],
  isMultikey: boolean,
): FieldBounds | undefined {
  // `a.0` can name an array element or a field. The filter tries both, but the index contains only one.
  if (steps.some((step) => DIGITS.test(step))) return undefined;
  const bounds = predicates
    .filter((node) => node.path === path)
    .map((node) => boundsOfPredicate(node, direction))
    .filter((found) => found !== undefined);
  const [points] = bounds
    .filter(({ arePoints }) => arePoints)
    .sort((a, b) => a.ranges.length - b.ranges.length);
  if (points !== undefined) return points;
  if (isMultikey || bounds.length === 0) return bounds[0];
  return {
    ranges: intersection(bounds.flatMap(({ ranges }) => ranges)),
    arePoints: false,
    served: bounds.flatMap(({ served }) => served),
  };
}

function boundsOfPredicate(node: PathNode, direction: Direction): FieldBounds | undefined {
  const { predicate } = node;
  if (predicate.kind === 'in') return points(node, predicate.values, direction);
  if (predicate.kind !== 'compare') return undefined;
  const { operator, value } = predicate;
  if (operator === 'eq') return points(node, [value], direction);
  const isInclusive = operator === 'gte' || operator === 'lte';
  if (value === null) return isInclusive ? points(node, [null], direction) : undefined;
  const typeClass = typeClassOf(value);
  if (CLASSES_WITHOUT_RANGES.has(typeClass)) return undefined;
  const { lower, upper } = typeClassBounds(typeClass, direction);
  const key = encodeKey([value], [direction]);
  // The keys of a descending field are inverted: greater values come first.
  const startsAtValue = (operator === 'gt' || operator === 'gte') === (direction === 1);
  const edge = isInclusive === startsAtValue ? key : prefixUpperBound(key);
  return {
    ranges: [startsAtValue ? { lower: edge, upper } : { lower, upper: edge }],
    arePoints: false,
    // The key of NaN is below those of the other numbers, but no range of numbers matches it.
    served: typeClass === TYPE_CLASS.number ? [] : [node],
  };
}

/** MinKey and MaxKey compare with values of all types, and ranges of the others are rare. The filter tests them. */
const CLASSES_WITHOUT_RANGES: ReadonlySet<TypeClass> = new Set([
  TYPE_CLASS.minKey,
  TYPE_CLASS.maxKey,
  TYPE_CLASS.regex,
  TYPE_CLASS.object,
  TYPE_CLASS.array,
]);

function points(node: PathNode, values: readonly BsonValue[], direction: Direction): FieldBounds {
  spendSteps(values.length * STEPS_PER_VALUE);
  const keys = values
    .flatMap(keysEqualTo)
    .map((value) => encodeKey([value], [direction]))
    .sort(Buffer.compare);
  const ranges = keys
    .filter((key, at) => at === 0 || Buffer.compare(key, keys[at - 1] as Uint8Array) !== 0)
    .map((key) => ({ lower: key, upper: prefixUpperBound(key) }));
  return { ranges, arePoints: true, served: values.every(hasOwnKey) ? [node] : [] };
}

/** Null shares its key with missing fields, and an array has the keys of its elements. The filter tests both. */
function hasOwnKey(value: BsonValue): boolean {
  return value !== null && !Array.isArray(value);
}

/** The values in the index entries of documents whose field equals the value. */
function keysEqualTo(value: BsonValue): BsonValue[] {
  if (!Array.isArray(value)) return [value];
  // An array has an entry for each element, or undefined if it is empty. As an element of another array, it is one value.
  return [value.length === 0 ? BSON_UNDEFINED : (value[0] as BsonValue), value];
}

function intersection(ranges: readonly KeyRange[]): KeyRange[] {
  const { lower, upper } = ranges.reduce((a, b) => ({
    lower: Buffer.compare(a.lower, b.lower) > 0 ? a.lower : b.lower,
    upper: Buffer.compare(a.upper, b.upper) < 0 ? a.upper : b.upper,
  }));
  return Buffer.compare(lower, upper) < 0 ? [{ lower, upper }] : [];
}
