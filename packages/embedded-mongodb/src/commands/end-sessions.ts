import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { readArray } from './fields.ts';
import { ok } from './replies.ts';

const NAMES = [
  'endSessions',
  'refreshSessions',
  'killSessions',
  'killAllSessions',
  'killAllSessionsByPattern',
];

/** Sessions carry nothing on a standalone server without transactions: only the list of them gets shorter. */
export const endSessions: Command = {
  name: 'endSessions',
  aliases: NAMES.slice(1),
  beforeAuthentication: true,
  fields: NAMES,
  run(request, { sessions }) {
    const given = readArray(request, request.name);
    if (given === undefined) {
      throw mongoError('TypeMismatch', `BSON field '${request.name}' must be an array of sessions`);
    }
    if (request.name === 'endSessions') for (const lsid of given) sessions.end(lsid);
    return ok();
  },
};
