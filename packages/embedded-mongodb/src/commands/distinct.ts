import { BsonUndefined, type BsonValue } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { findRecords } from '../planner/find-records.ts';
import { extractKeys } from '../semantics/index-keys.ts';
import { encodeKey } from '../semantics/key-encoding.ts';
import { MAX_BSON_OBJECT_BYTES } from '../wire/limits.ts';
import type { Command } from './command.ts';
import { deadlineOf } from './deadline.ts';
import { missingField, readDocument, readString } from './fields.ts';
import { assertSimpleCollation } from './generic-fields.ts';
import { namedCollection } from './namespace.ts';
import { ok } from './replies.ts';
import { parseRequestFilter } from './request-filter.ts';

export const distinct: Command = {
  name: 'distinct',
  fields: ['distinct', 'key', 'query', 'collation', 'hint'],
  run(request, server) {
    assertSimpleCollation(request.body.get('collation'));
    const key = readString(request, 'key');
    if (key === undefined) throw missingField(request, 'key');
    const filter = parseRequestFilter(request, readDocument(request, 'query'));
    const hint = request.body.get('hint');
    const collection = namedCollection(request, server);
    if (collection === undefined) return ok({ values: [] });
    const paths = [key.split('.')];
    const values: BsonValue[] = [];
    const seen = new Set<string>();
    let bytes = 0;
    for (const { document } of findRecords(collection, {
      filter,
      hint,
      checkDeadline: deadlineOf(request),
    })) {
      // As index keys: an array counts as its elements; sparse: a missing field counts as nothing, not as null.
      for (const [value] of extractKeys(document, paths, true).keys) {
        if (value === undefined || value instanceof BsonUndefined) continue;
        const encoded = Buffer.from(encodeKey([value], [1])).toString('latin1');
        if (seen.has(encoded)) continue;
        seen.add(encoded);
        values.push(value);
        bytes += encoded.length;
        if (bytes > MAX_BSON_OBJECT_BYTES) throw mongoError(17217, 'distinct too big, 16mb cap');
      }
    }
    return ok({ values });
  },
};
