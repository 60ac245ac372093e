import { ValueSet } from '../aggregation/value-set.ts';
import { encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import * as types from '../semantics/field-types.ts';
import { distinctValues, splitPath } from '../semantics/path.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { namedCollection } from './namespace.ts';
import { readQuery } from './query.ts';
import { ok } from './replies.ts';

export const distinct: Command = {
  name: 'distinct',
  fields: {
    key: types.required(types.string),
    query: types.object,
    collation: types.collation,
    hint: types.hint,
  },
  run(request, server) {
    const collection = namedCollection(request, server);
    const key = request.body.get('key') as string;
    const query = readQuery(request, 'query');
    if (collection === undefined) return ok({ values: [] });
    const path = splitPath(key);
    const values = new ValueSet();
    let bytes = 0;
    for (const { document } of findRecords(collection, query)) {
      for (const value of distinctValues(document, path)) {
        if (!values.add(value)) continue;
        bytes += encode(new Map([['', value]])).length;
        if (bytes > MAX_BSON_OBJECT_BYTES) throw mongoError(17217, 'distinct too big, 16mb cap');
      }
    }
    return ok({ values: values.values() });
  },
};
