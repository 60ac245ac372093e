import { isNumeric } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { assertApiVersion } from './api-version.ts';
import type { Command, CommandRequest } from './command.ts';

/** Fields that every command takes. */
const GENERIC_FIELDS = new Set([
  '$db',
  '$readPreference',
  '$clusterTime',
  '$audit',
  '$client',
  '$configServerState',
  '$queryOptions',
  'apiDeprecationErrors',
  'apiStrict',
  'apiVersion',
  'autocommit',
  'comment',
  'databaseVersion',
  'lsid',
  'maxTimeMS',
  'maxTimeMSOpOnly',
  'mayBypassWriteBlocking',
  'readConcern',
  'readOnly',
  'rawData',
  'shardVersion',
  'startTransaction',
  'stmtId',
  'txnNumber',
  'writeConcern',
]);

const READ_CONCERN_LEVELS = new Set(['local', 'available', 'majority', 'linearizable', 'snapshot']);

/** Refuses what a standalone mongod refuses of any command, before it runs. */
export function checkGenericFields(command: Command, request: CommandRequest): void {
  assertKnownFields(command, request);
  assertNoTransaction(request);
  assertWriteConcern(request);
  assertReadConcern(request);
  assertApiVersion(command.name, request);
}

function assertKnownFields({ fields, name }: Command, { body, sequences }: CommandRequest): void {
  if (fields === undefined) return;
  for (const field of body.keys()) {
    if (fields.includes(field) || GENERIC_FIELDS.has(field)) continue;
    throw mongoError(40415, `BSON field '${name}.${field}' is an unknown field.`);
  }
  for (const field of sequences.keys()) {
    if (!fields.includes(field))
      throw mongoError(40415, `BSON field '${name}.${field}' is an unknown field.`);
    if (body.has(field)) throw mongoError(40413, `BSON field '${name}.${field}' is a duplicate field`);
  }
}

function assertNoTransaction({ body }: CommandRequest): void {
  if (!body.has('txnNumber') && !body.has('autocommit') && !body.has('startTransaction')) return;
  throw mongoError(
    'IllegalOperation',
    'Transaction numbers are only allowed on a replica set member or mongos',
  );
}

function assertWriteConcern({ body }: CommandRequest): void {
  const writeConcern = body.get('writeConcern');
  if (!(writeConcern instanceof Map)) return;
  const w = writeConcern.get('w');
  if (w === undefined || w === 'majority') return;
  if (typeof w === 'string') {
    throw mongoError(
      'BadValue',
      `cannot use non-majority 'w' mode "${w}" when a host is not a member of a replica set`,
    );
  }
  if (!isNumeric(w)) throw mongoError('FailedToParse', 'w has to be a number, string, or object');
  const count = toNearestDouble(w);
  if (!(count >= 0 && count <= 50))
    throw mongoError('FailedToParse', 'w has to be a non-negative number and not greater than 50');
  if (count > 1) throw mongoError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
}

function assertReadConcern({ body }: CommandRequest): void {
  const readConcern = body.get('readConcern');
  if (!(readConcern instanceof Map)) return;
  const level = readConcern.get('level');
  if (readConcern.has('afterClusterTime') || readConcern.has('atClusterTime')) {
    throw mongoError(
      'IllegalOperation',
      'Cannot specify afterClusterTime or atClusterTime readConcern without a replica set',
    );
  }
  if (level === undefined) return;
  if (typeof level !== 'string' || !READ_CONCERN_LEVELS.has(level)) {
    throw mongoError(
      'FailedToParse',
      `readConcern.level must be one of ${[...READ_CONCERN_LEVELS].join(', ')}`,
    );
  }
  if (level === 'linearizable' || level === 'snapshot') {
    throw new MongoError(123, 'NotAReplicaSet', 'node needs to be a replica set member to use read concern');
  }
}
