import { type BsonValue, type Document, documentOf, integer, isNumeric } from '../bson/document.ts';
import { newStats } from './execute.ts';
import type { PreparedQuery, RecordQuery } from './find-records.ts';
import { type IndexScan, isIdLookup, type Plan } from './plan.ts';

/** A query and how the command uses the documents. */
export interface ExplainedQuery {
  query: RecordQuery;
  projection?: Document | undefined;
  /** Set by a command that does not return the documents. */
  purpose?: 'COUNT' | undefined;
}

/** The plan of a query on a collection that does not exist. */
export const NOTHING_TO_SCAN: Document = documentOf({ stage: 'EOF' });

/** The plan in the form of mongod's `winningPlan`, with mongod's stage names, outermost first. */
export function describePlan({ plan, sortsInMemory }: PreparedQuery, explained: ExplainedQuery): Document {
  const { sort = new Map(), skip = 0, limit = 0 } = explained.query;
  const { projection, purpose } = explained;
  let described = describeScan(plan);
  const wrap = (stage: string, fields: Record<string, BsonValue> = {}) => {
    described = documentOf({ stage, ...fields, inputStage: described });
  };
  if (sortsInMemory)
    wrap('SORT', { sortPattern: sort, ...(limit > 0 && { limitAmount: integer(skip + limit) }) });
  if (skip > 0) wrap('SKIP', { skipAmount: integer(skip) });
  if (projection?.size) wrap(projectionStage(projection), { transformBy: projection });
  // An in-memory sort applies the limit itself.
  if (limit > 0 && !sortsInMemory && purpose === undefined && !isIdLookup(plan))
    wrap('LIMIT', { limitAmount: integer(limit) });
  if (purpose !== undefined) wrap(purpose);
  return described;
}

/** mongod calls a projection simple if it only has top-level fields. */
function projectionStage(projection: Document): string {
  const isSimple = [...projection].every(
    ([name, value]) => !name.includes('.') && (isNumeric(value) || typeof value === 'boolean'),
  );
  return isSimple ? 'PROJECTION_SIMPLE' : 'PROJECTION_DEFAULT';
}

function describeScan(plan: Plan): Document {
  switch (plan.kind) {
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

function describeIndexScan({ index, direction }: IndexScan): Document {
  const { definition, multikeyFields, partialFilter } = index;
  return documentOf({
    stage: 'IXSCAN',
    keyPattern: definition.key,
    indexName: definition.name,
    isMultiKey: multikeyFields.includes(true),
    isUnique: definition.unique,
    isPartial: partialFilter !== undefined,
    direction: directionName(direction),
  });
}

function directionName(direction: 1 | -1): string {
  return direction === 1 ? 'forward' : 'backward';
}

/** Runs the query, if its collection exists, and returns its cost. */
export function executionStats(query: PreparedQuery | undefined, winningPlan: Document): Document {
  const startedAt = performance.now();
  let returned = 0;
  for (const _ of query?.run() ?? []) returned += 1;
  const elapsedMs = performance.now() - startedAt;
  const { keysExamined, documentsExamined } = query?.stats ?? newStats();
  return documentOf({
    executionSuccess: true,
    nReturned: integer(returned),
    executionTimeMillis: integer(Math.round(elapsedMs)),
    totalKeysExamined: integer(keysExamined),
    totalDocsExamined: integer(documentsExamined),
    executionStages: new Map([...winningPlan, ['nReturned', integer(returned)]]),
  });
}
