import { ValueSet } from '../aggregation/value-set.ts';
import { BsonUndefined, encode } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import { extractKeys } from '../semantics/index-keys.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import { collationFor } from './collation.ts';
import type { Command } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { missingField, readDocument, readString } from './fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';

export const distinct: Command = {
  name: 'distinct',
  fields: ['distinct', 'key', 'query', 'collation', 'hint'],
  run(request, server) {
    const collection = namedCollection(request, server);
    const collation = collationFor(request.body.get('collation'), collection);
    const key = readString(request, 'key');
    if (key === undefined) throw missingField(request, 'key');
    const filter = parseRequestFilter(request, readDocument(request, 'query'), collation);
    const hint = request.body.get('hint');
    if (collection === undefined) return ok({ values: [] });
    const paths = [key.split('.')];
    const values = new ValueSet(collation);
    let bytes = 0;
    for (const { document } of findRecords(collection, {
      filter,
      collation,
      hint,
      checkDeadline: deadlineOf(request),
    })) {
      // As index keys: an array counts as its elements; sparse: a missing field counts as nothing, not as null.
      for (const [value] of extractKeys(document, paths, true).keys) {
        if (value === undefined || value instanceof BsonUndefined) continue;
        if (!values.add(value)) continue;
        bytes += encode(new Map([['', value]])).length;
        if (bytes > MAX_BSON_OBJECT_BYTES) throw mongoError(17217, 'distinct too big, 16mb cap');
      }
    }
    return ok({ values: values.values() });
  },
};
