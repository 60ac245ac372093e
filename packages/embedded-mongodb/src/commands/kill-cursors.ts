import { type BsonValue, Long } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { missingField, readArray } from './fields.ts';
import { ok } from './replies.ts';

export const killCursors: Command = {
  name: 'killCursors',
  fields: ['killCursors', 'cursors'],
  run(request, { cursors }) {
    const ids = readArray(request, 'cursors');
    if (ids === undefined) throw missingField(request, 'cursors');
    if (!ids.every((id) => id instanceof Long)) {
      throw mongoError(
        'TypeMismatch',
        "BSON field 'killCursors.cursors' must be an array of cursor ids of type 'long'",
      );
    }
    const cursorsKilled: BsonValue[] = [];
    const cursorsNotFound: BsonValue[] = [];
    for (const id of ids) {
      const isKilled = cursors.kill(id);
      (isKilled ? cursorsKilled : cursorsNotFound).push(id);
    }
    return ok({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] });
  },
};
