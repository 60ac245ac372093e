import { type BsonValue, type Document, documentOf, integer, typeName } from '../bson/document.ts';
import { ID_INDEX_NAME } from '../storage/index-definition.ts';
import type { IndexTable } from '../storage/index-table.ts';
import type { FieldBounds } from './field-bounds.ts';
import type { PreparedQuery } from './find-records.ts';
import { type IndexScan, isIdLookup, type Plan } from './plan.ts';

/** The plan as mongod's `winningPlan`: stages by mongod's names, the outermost first. */
export function describePlan({ plan, sortsInMemory }: PreparedQuery, sort: Document | undefined): Document {
  const found = describeScan(plan);
  if (!sortsInMemory) return found;
  return documentOf({ stage: 'SORT', sortPattern: sort ?? new Map(), inputStage: found });
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
export function describeExecution({ stats }: PreparedQuery, returned: number, elapsedMs: number): Document {
  return documentOf({
    executionSuccess: true,
    nReturned: integer(returned),
    executionTimeMillis: integer(Math.round(elapsedMs)),
    totalKeysExamined: integer(stats.keysExamined),
    totalDocsExamined: integer(stats.documentsExamined),
  });
}
