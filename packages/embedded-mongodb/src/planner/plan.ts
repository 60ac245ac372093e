import { mongoError } from '../bson/mongo-error.ts';
import { spendSteps } from '../computation-limit.ts';
import type { FilterNode } from '../semantics/filter.ts';
import type { Sort } from '../semantics/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import type { Hint } from './hint.ts';
import { impliesFilter } from './implication.ts';
import { type IndexBounds, indexBounds } from './key-ranges.ts';
import { type KeyWindow, windowRange } from './key-window.ts';
import { sortByIndex } from './sort-order.ts';

export interface IndexScan extends IndexBounds {
  kind: 'indexScan';
  index: IndexTable;
  direction: 1 | -1;
  /** Whether the scan returns documents in the order of the sort. */
  providesSort: boolean;
}

/** How a query finds candidates. The filter is then tested on each candidate. */
export type Plan =
  | { kind: 'collectionScan'; direction: 1 | -1 }
  | IndexScan
  /** One scan for each alternative of an `$or`. */
  | { kind: 'union'; scans: IndexScan[] };

export interface PlanRequest {
  filter: FilterNode;
  /** A sort that an index may provide; undefined without a sort. */
  sort: Sort | undefined;
  hint: Hint | undefined;
  /** The part of the hinted index to scan; undefined for all of it. */
  window: KeyWindow | undefined;
  /** The index to scan, even if it does not contain all matching documents. */
  index: IndexTable | undefined;
}

/**
 * Chooses a plan by rule, without statistics. A unique index with all fields bound to one value wins. Otherwise, the
 * planner prefers, in this order, more leading fields bound to values, the order of the sort, and a range.
 */
export function planQuery(
  collection: Collection,
  { filter, sort, hint, window, index: only }: PlanRequest,
): Plan {
  const conditions = conditionsOf(filter);
  if (only !== undefined) return scanOf(only, indexBounds(only, conditions.paths), sort);
  if (window !== undefined) {
    const { index, range } = windowRange(window, hint);
    assertHasAllMatches(index, conditions);
    return scanOf(index, { ranges: [range], points: 0, hasRange: true, served: [] }, sort);
  }
  if (hint?.kind === 'natural') return { kind: 'collectionScan', direction: hint.direction };
  if (hint?.kind === 'index') {
    assertHasAllMatches(hint.index, conditions);
    return scanOf(hint.index, indexBounds(hint.index, conditions.paths), sort);
  }
  const best = bestScan(collection, conditions, sort);
  if (best !== undefined && isBounded(best)) return best;
  return unionOf(collection, conditions) ?? best ?? { kind: 'collectionScan', direction: 1 };
}

/** Whether the plan finds at most one document, by its `_id`. */
export function isIdLookup(plan: Plan): plan is IndexScan {
  return (
    plan.kind === 'indexScan' &&
    plan.index.definition.name === ID_INDEX_NAME &&
    plan.ranges.length === 1 &&
    plan.points === 1
  );
}

/** The cost of comparing one index with the conditions. */
const STEPS_PER_INDEX = 10;

function bestScan(
  collection: Collection,
  conditions: Conditions,
  sort: Sort | undefined,
): IndexScan | undefined {
  let best: IndexScan | undefined;
  let bestScore = 0;
  spendSteps(collection.indexes.length * (STEPS_PER_INDEX + conditions.paths.length));
  for (const index of collection.indexes) {
    if (!hasAllMatches(index, conditions)) continue;
    const scan = scanOf(index, indexBounds(index, conditions.paths), sort);
    if (hasOneEntry(scan)) return scan;
    const score = scoreOf(scan);
    if (score <= bestScore) continue;
    best = scan;
    bestScore = score;
  }
  return best;
}

function assertHasAllMatches(index: IndexTable, conditions: Conditions): void {
  if (hasAllMatches(index, conditions)) return;
  throw mongoError(
    'NoQueryExecutionPlans',
    `error processing query: the hinted index ${index.definition.name} is partial and the filter does not imply its expression :: No query solutions`,
  );
}

function hasAllMatches({ partialFilter }: IndexTable, conditions: Conditions): boolean {
  return partialFilter === undefined || impliesFilter(conditions, partialFilter);
}

function scanOf(index: IndexTable, bounds: IndexBounds, sort: Sort | undefined): IndexScan {
  const direction = sort && sortByIndex(index, bounds, sort);
  return {
    kind: 'indexScan',
    index,
    ...bounds,
    direction: direction ?? 1,
    providesSort: direction !== undefined,
  };
}

function isBounded({ points, hasRange }: IndexScan): boolean {
  return points > 0 || hasRange;
}

/** Whether the index is unique and all its fields are bound to one value. No other index is better. */
function hasOneEntry({ index, points, ranges }: IndexScan): boolean {
  const { unique, fields } = index.definition;
  return unique && points === fields.length && ranges.length === 1;
}

function scoreOf({ index, points, hasRange, providesSort }: IndexScan): number {
  // Even without bounds, a partial index is shorter than the collection.
  const isPartial = index.partialFilter !== undefined;
  return points * 10 + (providesSort ? 5 : 0) + (hasRange ? 4 : 0) + (isPartial ? 2 : 0);
}

/** Scans an index per alternative of an `$or`: the one with the fewest alternatives that all have an index. */
function unionOf(collection: Collection, { alternatives, paths }: Conditions): Plan | undefined {
  const byLength = [...alternatives].sort((a, b) => a.length - b.length);
  for (const branches of byLength) {
    const scans = branches.map((branch) => {
      const own = conditionsOf(branch);
      const scan = bestScan(collection, { ...own, paths: [...paths, ...own.paths] }, undefined);
      return scan !== undefined && isBounded(scan) ? scan : undefined;
    });
    if (scans.every((scan) => scan !== undefined)) return { kind: 'union', scans };
  }
  return undefined;
}
