import { MongoError, mongoError, notImplemented } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';

/** Commands that mongod 7 has and this server has not: refused as such, not as misspelt. */
const NOT_SERVED = [
  'autoCompact',
  'cloneCollectionAsCapped',
  'compact',
  'convertToCapped',
  'createRole',
  'createSearchIndexes',
  'createUser',
  'dataSize',
  'dbHash',
  'dropAllUsersFromDatabase',
  'dropConnections',
  'dropUser',
  'fsync',
  'fsyncUnlock',
  'grantRolesToUser',
  'listSearchIndexes',
  'lockInfo',
  'logRotate',
  'planCacheClear',
  'planCacheSetFilter',
  'profile',
  'reIndex',
  'rolesInfo',
  'setFeatureCompatibilityVersion',
  'setUserWriteBlockMode',
  'shutdown',
  'top',
  'updateUser',
  'usersInfo',
];

/** What a standalone mongod has nothing to say to. */
const OF_REPLICA_SETS = [
  'replSetGetConfig',
  'replSetGetStatus',
  'replSetInitiate',
  'replSetReconfig',
  'replSetStepDown',
];

const OF_TRANSACTIONS = ['abortTransaction', 'commitTransaction'];

export const refusedCommands: readonly Command[] = [
  ...NOT_SERVED.map((name) => refusal(name, () => notImplemented(`the command ${name}`))),
  ...OF_REPLICA_SETS.map((name) =>
    refusal(name, () => mongoError('NoReplicationEnabled', 'not running with --replSet')),
  ),
  ...OF_TRANSACTIONS.map((name) =>
    refusal(name, () => new MongoError(125, 'CommandFailed', `${name} must be run within a transaction`)),
  ),
  // As mongod with --noscripting.
  refusal('mapReduce', () => mongoError(16149, 'cannot run map reduce without the js engine')),
];

function refusal(name: string, reason: () => MongoError): Command {
  return {
    name,
    run() {
      throw reason();
    },
  };
}
