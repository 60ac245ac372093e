import { type BsonValue, type Document, documentOf, integer, isNumeric, typeName } from '../bson/document.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { ExecutionStats } from './execute.ts';
import type { FieldBounds } from './field-bounds.ts';
import type { PreparedQuery, RecordQuery } from './find-records.ts';
import { type IndexScan, isIdLookup, type Plan } from './plan.ts';

/** What is done with what a query finds, for `explain`. */
export interface ExplainedQuery {
  query: RecordQuery;
  projection?: Document | undefined;
  /** `UPDATE`, `DELETE` or `COUNT`, where documents are not the answer. */
  purpose?: string | undefined;
}

/** A query on a collection that is not there. */
export const NOTHING_TO_SCAN: Document = documentOf({ stage: 'EOF' });

/** The plan as mongod's `winningPlan`: stages by mongod's names, the outermost first. */
export function describePlan({ plan, sortsInMemory }: PreparedQuery, explained: ExplainedQuery): Document {
  const { sort, skip = 0, limit = 0 } = explained.query;
  const { projection, purpose } = explained;
  let described = describeScan(plan);
  const wrap = (stage: string, fields: Record<string, BsonValue> = {}) => {
    described = documentOf({ stage, ...fields, inputStage: described });
  };
  if (sortsInMemory)
    wrap('SORT', {
      sortPattern: sort ?? new Map(),
      ...(limit > 0 ? { limitAmount: integer(skip + limit) } : {}),
    });
  if (skip > 0) wrap('SKIP', { skipAmount: integer(skip) });
  if (projection !== undefined && projection.size > 0)
    wrap(projectionStage(projection), { transformBy: projection });
  // A sort in memory keeps to the limit itself, and of the others only a query gives several documents.
  if (limit > 0 && !sortsInMemory && purpose === undefined && !isIdLookup(plan))
    wrap('LIMIT', { limitAmount: integer(limit) });
  if (purpose !== undefined) wrap(purpose);
  return described;
}

/** Whole top-level fields in or out are simple. */
function projectionStage(projection: Document): string {
  const isSimple = [...projection].every(
    ([name, value]) => !name.includes('.') && (isNumeric(value) || typeof value === 'boolean'),
  );
  return isSimple ? 'PROJECTION_SIMPLE' : 'PROJECTION_DEFAULT';
}

function describeScan(plan: Plan): Document {
  switch (plan.kind) {
    case 'nothing':
      return documentOf({ stage: 'EOF' });
    case 'collectionScan':
      return documentOf({ stage: 'COLLSCAN', direction: directionName(plan.direction) });
    case 'indexScan':
      if (isIdLookup(plan)) return documentOf({ stage: 'IDHACK' });
      return documentOf({ stage: 'FETCH', inputStage: describeIndexScan(plan) });
    case 'union':
      return documentOf({
        stage: 'FETCH',
        inputStage: documentOf({ stage: 'OR', inputStages: plan.scans.map(describeIndexScan) }),
      });
  }
}

function describeIndexScan(scan: IndexScan): Document {
  const { definition, multikeyFields, partialFilter } = scan.index;
  return documentOf({
    stage: 'IXSCAN',
    keyPattern: definition.specification.get('key') ?? new Map(),
    indexName: definition.name,
    isMultiKey: multikeyFields.includes(true),
    isUnique: definition.unique || definition.name === ID_INDEX_NAME,
    isSparse: definition.sparse,
    isPartial: partialFilter !== undefined,
    direction: directionName(scan.direction),
    indexBounds: describeBounds(scan.index, scan.fields),
  });
}

function describeBounds(index: IndexTable, fields: readonly FieldBounds[]): Document {
  return documentOf(
    Object.fromEntries(index.definition.fields.map(({ path }, at) => [path, boundsText(fields[at])])),
  );
}

function boundsText(bounds: FieldBounds | undefined): BsonValue[] {
  if (bounds === undefined) return ['[MinKey, MaxKey]'];
  if (bounds.kind === 'points')
    return bounds.values.map((value) => `[${valueText(value)}, ${valueText(value)}]`);
  const { above, below } = bounds;
  const start = above === undefined ? '(-inf' : `${above.inclusive ? '[' : '('}${valueText(above.value)}`;
  const end = below === undefined ? 'inf)' : `${valueText(below.value)}${below.inclusive ? ']' : ')'}`;
  return [`${start}, ${end}`];
}

function valueText(value: BsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Map || Array.isArray(value)) return typeName(value);
  return String(value);
}

function directionName(direction: 1 | -1): string {
  return direction === 1 ? 'forward' : 'backward';
}

/** What running the query cost. */
export interface Execution {
  stats: ExecutionStats;
  returned: number;
  elapsedMs: number;
}

export function describeExecution(
  { stats, returned, elapsedMs }: Execution,
  winningPlan: Document,
): Document {
  return documentOf({
    executionSuccess: true,
    nReturned: integer(returned),
    executionTimeMillis: integer(Math.round(elapsedMs)),
    totalKeysExamined: integer(stats.keysExamined),
    totalDocsExamined: integer(stats.documentsExamined),
    executionStages: withCosts(winningPlan, stats).set('nReturned', integer(returned)),
  });
}

const EXAMINES_DOCUMENTS = new Set(['FETCH', 'COLLSCAN', 'IDHACK']);
const EXAMINES_KEYS = new Set(['IXSCAN', 'IDHACK']);

/** The plan again, each stage with what it examined. Of several index scans only the sum is known. */
function withCosts(stage: Document, stats: ExecutionStats): Document {
  const counted = new Map(stage);
  const name = String(stage.get('stage'));
  if (EXAMINES_DOCUMENTS.has(name)) counted.set('docsExamined', integer(stats.documentsExamined));
  if (EXAMINES_KEYS.has(name)) counted.set('keysExamined', integer(stats.keysExamined));
  const input = stage.get('inputStage');
  if (input instanceof Map) counted.set('inputStage', withCosts(input, stats));
  return counted;
}
