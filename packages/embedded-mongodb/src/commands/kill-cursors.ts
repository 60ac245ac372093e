import { type BsonValue, Long } from '../bson/document.ts';
import type { Command } from './command.ts';
import { missingField, readArray } from './fields.ts';
import { ok } from './replies.ts';

export const killCursors: Command = {
  name: 'killCursors',
  fields: ['killCursors', 'cursors'],
  run(request, { cursors }) {
    const ids = readArray(request, 'cursors');
    if (ids === undefined) throw missingField(request, 'cursors');
    const cursorsKilled: BsonValue[] = [];
    const cursorsNotFound: BsonValue[] = [];
    for (const id of ids) {
      const isKilled = id instanceof Long && cursors.kill(id);
      (isKilled ? cursorsKilled : cursorsNotFound).push(id);
    }
    return ok({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] });
  },
};
