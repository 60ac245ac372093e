import { integer } from '../bson/document.ts';
import { findRecords } from '../planner/find-records.ts';
import { collationFor } from './collation.ts';
import type { Command, CommandRequest } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { numberOf, readCount, readDocument } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';

export const count: Command = {
  name: 'count',
  fields: ['count', 'query', 'limit', 'skip', 'hint', 'collation', 'fields'],
  run(request, server) {
    const collection = namedCollection(request, server);
    const collation = collationFor(request.body.get('collation'), collection);
    const query = readDocument(request, 'query') ?? new Map();
    const filter = parseRequestFilter(request, query, collation);
    const skip = readCount(request, 'skip') ?? 0;
    const limit = readLimit(request);
    const hint = request.body.get('hint');
    if (collection === undefined) return ok({ n: integer(0) });
    if (query.size === 0 && hint === undefined) {
      const rest = Math.max(0, collection.count() - skip);
      return ok({ n: integer(limit > 0 ? Math.min(limit, rest) : rest) });
    }
    let n = 0;
    const checkDeadline = deadlineOf(request);
    const found = findRecords(collection, { filter, collation, skip, limit, hint, checkDeadline });
    for (const _ of found) n += 1;
    return ok({ n: integer(n) });
  },
};

/** As in mongod a negative limit counts as far as the same positive one. */
function readLimit(request: CommandRequest): number {
  const limit = request.body.get('limit');
  const number = numberOf(limit);
  return number !== undefined && number < 0 ? Math.trunc(-number) : (readCount(request, 'limit') ?? 0);
}
