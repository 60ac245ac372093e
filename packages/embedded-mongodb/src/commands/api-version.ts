import { mongoError } from '../bson/mongo-error.ts';
import type { CommandRequest } from './command.ts';
import { readBoolean } from './fields.ts';

/** https://www.mongodb.com/docs/v7.0/reference/stable-api/#stable-api-commands; of names, those that clients send. */
const COMMANDS_OF_VERSION_1 = new Set([
  'abortTransaction',
  'aggregate',
  'authenticate',
  'collMod',
  'commitTransaction',
  'count',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'getMore',
  'hello',
  'insert',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'ping',
  'refreshSessions',
  'saslContinue',
  'saslStart',
  'update',
]);

/** Refuses what does not fit the version of the stable API that a client declares. */
export function assertApiVersion(commandName: string, request: CommandRequest): void {
  const { body } = request;
  const version = body.get('apiVersion');
  if (version === undefined) {
    if (body.has('apiStrict') || body.has('apiDeprecationErrors')) {
      throw mongoError(
        'InvalidOptions',
        'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion',
      );
    }
    return;
  }
  if (version !== '1') throw mongoError('APIVersionError', 'API version must be "1"');
  if (!readBoolean(request, 'apiStrict') || COMMANDS_OF_VERSION_1.has(commandName)) return;
  throw mongoError(
    'APIStrictError',
    `Provided apiStrict:true, but the command ${commandName} is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api`,
  );
}
