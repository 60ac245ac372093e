import { assertPipelineLength } from '../aggregation/pipeline.ts';
import type { BsonValue, Document } from '../bson/document.ts';
import type { RecordQuery } from '../planner/find-records.ts';
import { parseFilter } from '../semantics/filter.ts';
import { wholeNumber } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';

/** The leading stages of a pipeline as a query, which can use an index, and the stages that run on its results. */
export interface LeadingQuery {
  query: RecordQuery;
  rest: BsonValue[];
}

/** Takes `$match` stages, `$sort`, `$skip`, and `$limit` from the start of the pipeline, in this order. */
export function leadingQuery(request: CommandRequest): LeadingQuery {
  const rest = [...(request.body.get('pipeline') as BsonValue[])];
  assertPipelineLength(rest);
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
    filter: parseFilter(allOf(matches)),
    sort,
    skip,
    limit,
    hint: request.body.get('hint'),
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

/** Leaves an invalid count in the pipeline, where the parser rejects it. */
function takeCount(stages: BsonValue[], name: string, least: number): number | undefined {
  const found = peekStage(stages, name);
  const count = Number(wholeNumber(found) ?? Number.NaN);
  if (!Number.isSafeInteger(count) || count < least) return undefined;
  stages.shift();
  return count;
}
