import { MongoError, mongoError, outOfScope } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';

/** Commands of MongoDB 7 that are out of scope: https://www.mongodb.com/docs/v7.0/reference/command/ */
const OUT_OF_SCOPE =
  `appendOplogNote authenticate autoCompact cloneCollectionAsCapped collMod collStats compact connPoolStats
  convertToCapped createRole createSearchIndexes createUser currentOp dataSize dbHash dropAllRolesFromDatabase
  dropAllUsersFromDatabase dropConnections dropRole dropSearchIndex dropUser features filemd5 fsync fsyncUnlock
  getAuditConfig getClusterParameter getCmdLineOpts getDefaultRWConcern getParameter grantPrivilegesToRole
  grantRolesToRole grantRolesToUser invalidateUserCache killAllSessions killAllSessionsByPattern killOp listCommands
  listSearchIndexes lockInfo logApplicationMessage logout logRotate mapReduce netstat planCacheClear
  planCacheClearFilters planCacheListFilters planCacheSetFilter profile reIndex renameCollection
  revokePrivilegesFromRole revokeRolesFromRole revokeRolesFromUser rolesInfo rotateCertificates setClusterParameter
  setDefaultRWConcern setFeatureCompatibilityVersion setIndexCommitQuorum setParameter setUserWriteBlockMode
  shutdown startSession top updateRole updateSearchIndex updateUser usersInfo  whatsmyuri`.split(/\s+/);

/** A standalone mongod also rejects the commands of replica sets and transactions. */
const OF_REPLICA_SETS =
  `replSetAbortPrimaryCatchUp replSetFreeze replSetGetConfig replSetGetStatus replSetInitiate replSetMaintenance
  replSetReconfig replSetResizeOplog replSetStepDown replSetSyncFrom`.split(/\s+/);
const OF_TRANSACTIONS = ['abortTransaction', 'commitTransaction'];

/** Commands of MongoDB 7 that only return an error. */
export const outOfScopeCommands: readonly Command[] = [
  ...OUT_OF_SCOPE.map((name) => rejecting(name, () => outOfScope(`the command ${name}`))),
  ...OF_REPLICA_SETS.map((name) =>
    rejecting(name, () => mongoError('NoReplicationEnabled', 'not running with --replSet')),
  ),
  ...OF_TRANSACTIONS.map((name) =>
    rejecting(name, () => new MongoError(125, 'CommandFailed', `${name} must be run within a transaction`)),
  ),
];

function rejecting(name: string, error: () => MongoError): Command {
  return {
    name,
    run() {
      throw error();
    },
  };
}
