import type { BsonValue } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';
import type { PathNode } from '../semantics/filter.ts';
import { encodeKey, type KeyText, prefixUpperBound, typeClassBounds } from '../semantics/key-encoding.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { KeyRange } from '../storage/scan.ts';
import { boundsOf, classOfRange, type FieldBounds, type RangeEnd } from './field-bounds.ts';

/** A part of an index to be scanned. */
export interface IndexBounds {
  /** In ascending order, without overlap. */
  ranges: KeyRange[];
  /** The bounds of the leading fields, as far as there are any. */
  fields: FieldBounds[];
}

/** More look-ups than this for one query are not better than a longer scan. */
const MAX_RANGES = 2000;
const NO_PREFIX = new Uint8Array(0);

/** Bounds an index by a filter's predicates: points as far as they go, then at most one range. */
export function indexBounds(
  index: IndexTable,
  predicates: readonly PathNode[],
  collation?: Collation,
): IndexBounds {
  const { fields: keyFields } = index.definition;
  const keyText = index.definition.collation?.indexText;
  const fields: FieldBounds[] = [];
  let prefixes: Uint8Array[] = [NO_PREFIX];
  let boundedMultikeyFields = 0;
  for (const [position, field] of keyFields.entries()) {
    const isMultikey = index.multikeyFields[position] === true;
    // Two fields under one array are satisfied by different elements, the entries pair them element by element.
    if (isMultikey && boundedMultikeyFields > 0) break;
    const bounds = boundsOf(field, predicates, isMultikey, {
      index: index.definition.collation,
      query: collation,
    });
    if (bounds === undefined) break;
    // A sparse index has no entry for an array element that lacks all its fields, though other elements have them.
    if (index.definition.sparse && bounds.kind === 'points' && bounds.values.includes(null)) break;
    if (isMultikey) boundedMultikeyFields += 1;
    if (bounds.kind === 'range') {
      fields.push(bounds);
      return { ranges: prefixes.map((prefix) => rangeWithin(prefix, bounds, field.direction)), fields };
    }
    if (prefixes.length * bounds.values.length > MAX_RANGES) break;
    fields.push(bounds);
    prefixes = extended(prefixes, bounds.values, field.direction, keyText);
  }
  return { ranges: prefixes.map((prefix) => ({ lower: prefix, upper: prefixUpperBound(prefix) })), fields };
}

/** Every prefix with every value, in key order, each once. */
function extended(
  prefixes: Uint8Array[],
  values: BsonValue[],
  direction: 1 | -1,
  keyText: KeyText | undefined,
): Uint8Array[] {
  const keys = values.map((value) => encodeKey([value], [direction], keyText));
  if (keys.length > 1) keys.sort(Buffer.compare);
  const distinct = keys.filter(
    (key, at) => at === 0 || Buffer.compare(key, keys[at - 1] as Uint8Array) !== 0,
  );
  return prefixes.flatMap((prefix) => distinct.map((key) => joined(prefix, key)));
}

function rangeWithin(
  prefix: Uint8Array,
  bounds: FieldBounds & { kind: 'range' },
  direction: 1 | -1,
): KeyRange {
  const all = typeClassBounds(classOfRange(bounds), direction);
  // A descending field has its keys inverted: what lies above comes first.
  const [first, last] = direction === 1 ? [bounds.above, bounds.below] : [bounds.below, bounds.above];
  return {
    lower: joined(prefix, first === undefined ? all.lower : edge(first, direction, !first.inclusive)),
    upper: joined(prefix, last === undefined ? all.upper : edge(last, direction, last.inclusive)),
  };
}

/** The key of a range's end, or the one just behind all entries with that value. */
function edge({ value }: RangeEnd, direction: 1 | -1, behind: boolean): Uint8Array {
  const key = encodeKey([value], [direction]);
  return behind ? prefixUpperBound(key) : key;
}

function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  if (prefix.length === 0) return key;
  const both = new Uint8Array(prefix.length + key.length);
  both.set(prefix);
  both.set(key, prefix.length);
  return both;
}
