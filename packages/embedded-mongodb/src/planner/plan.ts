import type { Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { type Collation, sameCollation } from '../semantics/collation.ts';
import type { FilterNode } from '../semantics/filter.ts';
import type { Collection } from '../storage/collection.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import { type Conditions, conditionsOf } from './conditions.ts';
import type { Hint } from './hint.ts';
import { impliesExistence, impliesFilter } from './implication.ts';
import { type IndexBounds, indexBounds } from './key-ranges.ts';
import { type KeyWindow, windowRange } from './key-window.ts';
import { type SortDirection, sortByIndex } from './sort-order.ts';

export interface IndexScan extends IndexBounds {
  kind: 'indexScan';
  index: IndexTable;
  direction: 1 | -1;
  /** Whether the entries come in the order that was asked for. */
  providesSort: boolean;
}

/** How the candidates of a query are found. The filter is applied to each of them whatever the plan. */
export type Plan =
  | { kind: 'nothing' }
  | { kind: 'collectionScan'; direction: 1 | -1 }
  | IndexScan
  /** One scan for each alternative of an `$or`. */
  | { kind: 'union'; scans: IndexScan[] };

export interface PlanRequest {
  filter: FilterNode;
  /** A sort that an index may serve; undefined where there is none or only a sort in memory can do it. */
  sort: Document | undefined;
  hint: Hint | undefined;
  /** The part of the hinted index that the client wants; undefined: all of it. */
  window?: KeyWindow | undefined;
  /** How strings compare in filter and sort; undefined: by their bytes. */
  collation: Collation | undefined;
}

/**
 * Chooses by rule, without statistics: the longest prefix of fields bound to values wins, then a range or the
 * wanted order behind it. A unique index that is bound completely beats all.
 */
export function planQuery(
  collection: Collection,
  { filter, sort, hint, window, collation }: PlanRequest,
): Plan {
  if (window !== undefined) return windowScan(window, hint, conditionsOf(filter, collation), sort);
  if (hint?.kind === 'natural') return { kind: 'collectionScan', direction: hint.direction };
  const conditions = conditionsOf(filter, collation);
  if (conditions.isNever) return { kind: 'nothing' };
  if (hint?.kind === 'index') return hintedScan(hint.index, conditions, sort);
  const best = bestScan(collection, conditions, sort);
  if (best !== undefined && best.fields.length > 0) return best;
  return unionOf(collection, conditions) ?? best ?? { kind: 'collectionScan', direction: 1 };
}

/** Whether the plan finds at most one document, by its `_id`. */
export function isIdLookup(plan: Plan): plan is IndexScan {
  return (
    plan.kind === 'indexScan' &&
    plan.index.definition.name === ID_INDEX_NAME &&
    plan.ranges.length === 1 &&
    plan.fields[0]?.kind === 'points'
  );
}

function bestScan(
  collection: Collection,
  conditions: Conditions,
  sort: Document | undefined,
): IndexScan | undefined {
  let best: IndexScan | undefined;
  let bestScore = 0;
  for (const index of collection.indexes) {
    const isHidden = index.definition.specification.get('hidden') === true;
    if (isHidden || !holdsAllMatches(index, conditions)) continue;
    const scan = scanOf(index, conditions, sort);
    const score = scoreOf(scan);
    if (score <= bestScore) continue;
    best = scan;
    bestScore = score;
  }
  return best;
}

function windowScan(
  window: KeyWindow,
  hint: Hint | undefined,
  conditions: Conditions,
  sort: Document | undefined,
): IndexScan {
  const { index, range } = windowRange(window, hint);
  const bounds: IndexBounds = { ranges: [range], fields: [] };
  return {
    ...hintedScan(index, conditions, undefined),
    ...bounds,
    ...orderOf(index, bounds, conditions, sort),
  };
}

/** A sparse index is obeyed though it may lack matching documents, a partial one is not: both as mongod does. */
function hintedScan(index: IndexTable, conditions: Conditions, sort: Document | undefined): IndexScan {
  if (holdsPartially(index, conditions)) return scanOf(index, conditions, sort);
  throw mongoError(
    'NoQueryExecutionPlans',
    `error processing query: the hinted index ${index.definition.name} is partial and the filter does not imply its expression :: No query solutions`,
  );
}

function holdsPartially(
  { partialFilter, definition }: IndexTable,
  { paths, collation }: Conditions,
): boolean {
  if (partialFilter === undefined) return true;
  return sameCollation(definition.collation, collation) && impliesFilter(paths, partialFilter, collation);
}

/** A partial or sparse index lacks documents; it serves only queries that cannot match those. */
function holdsAllMatches(index: IndexTable, conditions: Conditions): boolean {
  const { definition } = index;
  const { paths } = conditions;
  if (!holdsPartially(index, conditions)) return false;
  if (!definition.sparse) return true;
  return definition.fields.some(({ path }) =>
    paths.some((node) => node.path === path && impliesExistence(node)),
  );
}

function scanOf(index: IndexTable, conditions: Conditions, sort: Document | undefined): IndexScan {
  const bounds = indexBounds(index, conditions.paths, conditions.collation);
  return { kind: 'indexScan', index, ...bounds, ...orderOf(index, bounds, conditions, sort) };
}

function orderOf(
  index: IndexTable,
  bounds: IndexBounds,
  { collation }: Conditions,
  sort: Document | undefined,
): Pick<IndexScan, 'direction' | 'providesSort'> {
  // Keys under a collation have no order, and plain ones have another than the query's.
  const hasOrder = index.definition.collation === undefined && collation === undefined;
  const order: SortDirection | undefined = hasOrder && sort ? sortByIndex(index, bounds, sort) : undefined;
  return { direction: order ?? 1, providesSort: order !== undefined };
}

function scoreOf({ index, fields, ranges, providesSort }: IndexScan): number {
  const points = fields.filter(({ kind }) => kind === 'points').length;
  const isOneEntry =
    index.definition.unique && points === index.definition.fields.length && ranges.length === 1;
  const hasRange = fields.length > points;
  // Even unbounded, an index that leaves documents out is shorter than the collection.
  const isShort = index.partialFilter !== undefined || index.definition.sparse;
  return (
    (isOneEntry ? 1000 : 0) + points * 10 + (providesSort ? 5 : 0) + (hasRange ? 4 : 0) + (isShort ? 2 : 0)
  );
}

/** An `$or` of which every alternative has an index of its own; the shortest list of alternatives is taken. */
function unionOf(collection: Collection, { alternatives, paths, collation }: Conditions): Plan | undefined {
  const byLength = [...alternatives].sort((a, b) => a.length - b.length);
  for (const branches of byLength) {
    const scans = branches.map((branch) => {
      const own = conditionsOf(branch, collation);
      const scan = bestScan(collection, { ...own, paths: [...paths, ...own.paths] }, undefined);
      return scan !== undefined && scan.fields.length > 0 ? scan : undefined;
    });
    if (scans.every((scan) => scan !== undefined)) return { kind: 'union', scans };
  }
  return undefined;
}
