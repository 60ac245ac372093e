import type { PathNode } from '../semantics/filter.ts';
import { prefixUpperBound } from '../semantics/key-encoding.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { KeyRange } from '../storage/scan.ts';
import { boundsOf } from './field-bounds.ts';

/** The parts of an index to scan. */
export interface IndexBounds {
  /** Ascending, without overlap. */
  ranges: KeyRange[];
  /** How many leading fields are bound to values. */
  points: number;
  /** Whether the field after those is bound to a range. */
  hasRange: boolean;
  /** The predicates that every document with an entry in the ranges satisfies. */
  served: readonly PathNode[];
}

/** For one query, more lookups than this are not faster than a longer scan. */
const MAX_RANGES = 2000;

/** Bounds an index by the predicates of a filter: single values for the leading fields, then at most one range. */
export function indexBounds(index: IndexTable, predicates: readonly PathNode[]): IndexBounds {
  let prefixes: Uint8Array[] = [new Uint8Array(0)];
  let points = 0;
  const served: PathNode[] = [];
  let isMultikeyBound = false;
  for (const [position, field] of index.definition.fields.entries()) {
    const isMultikey = index.multikeyFields[position] === true;
    // Different elements of an array can satisfy the predicates on two fields, but an entry takes both from one element.
    if (isMultikey && isMultikeyBound) break;
    const bounds = boundsOf(field, predicates, isMultikey);
    if (bounds === undefined || prefixes.length * bounds.ranges.length > MAX_RANGES) break;
    const { ranges, arePoints } = bounds;
    for (const node of bounds.served) served.push(node);
    if (!arePoints) {
      const within = prefixes.flatMap((prefix) =>
        ranges.map(({ lower, upper }) => ({ lower: joined(prefix, lower), upper: joined(prefix, upper) })),
      );
      return { ranges: within, points, hasRange: true, served };
    }
    prefixes = prefixes.flatMap((prefix) => ranges.map(({ lower }) => joined(prefix, lower)));
    points += 1;
    isMultikeyBound ||= isMultikey;
  }
  const isKey = points === index.definition.fields.length;
  const ranges = prefixes.map((prefix) => ({ lower: prefix, upper: prefixUpperBound(prefix), isKey }));
  return { ranges, points, hasRange: false, served };
}

function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  return prefix.length === 0 ? key : Buffer.concat([prefix, key]);
}
