import { integer, isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { Command } from './command.ts';
import { readDocument } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { readQuery } from './query.ts';
import { ok } from './replies.ts';

/** A whole number. A negative limit is equivalent to its absolute value. */
const countLimit: types.FieldType = {
  check(value) {
    if (!isNumeric(value)) throw mongoError('BadValue', 'limit value is not a valid number');
    if (Number.isInteger(toNearestDouble(value))) return;
    throw mongoError('FailedToParse', `Expected an integer: limit: ${value.toString()}`);
  },
};

export const count: Command = {
  name: 'count',
  fields: {
    query: types.object,
    limit: countLimit,
    skip: types.atLeast(0),
    hint: types.hint,
    collation: types.collation,
    fields: types.any,
  },
  run(request, server) {
    const collection = namedCollection(request, server);
    const query = readQuery(request, 'query');
    if (collection === undefined) return ok({ n: integer(0) });
    const { skip = 0, limit = 0, hint } = query;
    if (!readDocument(request, 'query')?.size && hint === undefined) {
      const rest = Math.max(0, collection.count() - skip);
      return ok({ n: integer(limit > 0 ? Math.min(limit, rest) : rest) });
    }
    let n = 0;
    for (const _ of findRecords(collection, query)) n += 1;
    return ok({ n: integer(n) });
  },
};
