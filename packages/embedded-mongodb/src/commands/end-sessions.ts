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

/** Sessions carry nothing on a standalone server without transactions: there is nothing to end. */
export const endSessions: Command = {
  name: 'endSessions',
  aliases: NAMES.slice(1),
  beforeAuthentication: true,
  fields: NAMES,
  run(request) {
    if (readArray(request, request.name) === undefined) {
      throw mongoError('TypeMismatch', `BSON field '${request.name}' must be an array of sessions`);
    }
    return ok();
  },
};
