import type { BsonValue, Long } from '../bson/document.ts';
import * as types from '../semantics/field-types.ts';
import type { Command } from './command.ts';
import { ok } from './replies.ts';

export const killCursors: Command = {
  name: 'killCursors',
  fields: { cursors: types.required(types.arrayOf(types.long)) },
  run(request, { cursors }) {
    const ids = request.body.get('cursors') as Long[];
    const cursorsKilled: BsonValue[] = [];
    const cursorsNotFound: BsonValue[] = [];
    for (const id of ids) {
      const isKilled = cursors.kill(id);
      (isKilled ? cursorsKilled : cursorsNotFound).push(id);
    }
    return ok({ cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] });
  },
};
