import { type BsonValue, type Document, isNumeric } from '../bson/document.ts';
import type { RecordQuery } from '../planner/find-records.ts';
import type { Collation } from '../semantics/collation.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { missingField, readArray } from './fields.ts';
import { parseRequestFilter } from './request-filter.ts';

/** The front of a pipeline as a query that indexes can serve, and the stages that are left to be run on its results. */
export interface LeadingQuery {
  query: RecordQuery;
  rest: BsonValue[];
}

/** `$match…`, `$sort`, `$skip`, `$limit` at the front, in this order, as far as they go. */
export function leadingQuery(request: CommandRequest, collation: Collation | undefined): LeadingQuery {
  const pipeline = readArray(request, 'pipeline');
  if (pipeline === undefined) throw missingField(request, 'pipeline');
  const rest = [...pipeline];
  const matches: BsonValue[] = [];
  let sort: Document | undefined;
  for (let match = peekStage(rest, '$match'); match instanceof Map; match = peekStage(rest, '$match')) {
    matches.push(match);
    rest.shift();
  }
  const order = peekStage(rest, '$sort');
  if (order instanceof Map && order.size > 0) {
    sort = order;
    rest.shift();
  }
  const skip = takeCount(rest, '$skip', 0);
  const limit = takeCount(rest, '$limit', 1);
  const query: RecordQuery = {
    filter: parseRequestFilter(request, allOf(matches), collation),
    collation,
    sort,
    skip,
    limit,
    hint: request.body.get('hint'),
    checkDeadline: deadlineOf(request),
  };
  return { query, rest };
}

function allOf(filters: BsonValue[]): BsonValue {
  if (filters.length === 1) return filters[0] as BsonValue;
  return filters.length === 0 ? new Map() : new Map([['$and', filters]]);
}

function peekStage(stages: readonly BsonValue[], name: string): BsonValue | undefined {
  const [stage] = stages;
  return stage instanceof Map && stage.size === 1 ? stage.get(name) : undefined;
}

/** A count that is not a plain one is left in the pipeline, which refuses it. */
function takeCount(stages: BsonValue[], name: string, least: number): number | undefined {
  const found = peekStage(stages, name);
  if (found === undefined || !isNumeric(found)) return undefined;
  const count = toNearestDouble(found);
  if (!Number.isSafeInteger(count) || count < least) return undefined;
  stages.shift();
  return count;
}
