import { type BsonValue, isNumeric } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import * as types from '../semantics/field-types.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import { assertApiVersion } from './api-version.ts';
import type { Command, CommandRequest } from './command.ts';

const MAX_INT32 = 2 ** 31 - 1;
const MAX_WRITE_CONCERN_MEMBERS = 50;

const maxTimeMs: types.FieldType = {
  check(value) {
    if (!isNumeric(value)) throw mongoError('BadValue', 'maxTimeMS must be a number');
    const milliseconds = toNearestDouble(value);
    if (!Number.isInteger(milliseconds)) throw mongoError('BadValue', 'maxTimeMS has non-integral value');
    if (milliseconds < 0 || milliseconds > MAX_INT32)
      throw mongoError('BadValue', `${milliseconds} value for maxTimeMS is out of range`);
  },
};

const transaction: types.FieldType = {
  check() {
    throw mongoError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  },
};

const members: types.FieldType = {
  check(w) {
    if (w === null || w === 'majority') return;
    if (typeof w === 'string') {
      throw mongoError(
        'BadValue',
        `cannot use non-majority 'w' mode "${w}" when a host is not a member of a replica set`,
      );
    }
    if (!isNumeric(w)) throw mongoError('FailedToParse', 'w has to be a number, string, or object');
    const count = toNearestDouble(w);
    if (!(count >= 0 && count <= MAX_WRITE_CONCERN_MEMBERS)) {
      throw mongoError(
        'FailedToParse',
        `w has to be a non-negative number and not greater than ${MAX_WRITE_CONCERN_MEMBERS}`,
      );
    }
    if (count > 1) throw mongoError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
  },
};

const writeConcern = types.struct({
  w: members,
  j: types.safeBoolean,
  wtimeout: types.any,
  fsync: types.safeBoolean,
});

const READ_CONCERN_LEVELS = ['local', 'available', 'majority', 'linearizable', 'snapshot'];

const readConcern: types.FieldType = {
  check(value) {
    if (!(value instanceof Map)) throw mongoError('FailedToParse', 'readConcern field should be an object');
    for (const [field, option] of value) {
      if (field === 'level') checkReadConcernLevel(option);
      else if (field === 'afterClusterTime' || field === 'atClusterTime') {
        throw mongoError('IllegalOperation', `Cannot specify ${field} readConcern without a replica set`);
      } else {
        throw mongoError('InvalidOptions', `Unrecognized option in readConcern: ${field}`);
      }
    }
  },
};

function checkReadConcernLevel(level: BsonValue): void {
  if (typeof level !== 'string')
    throw mongoError('TypeMismatch', '"level" had the wrong type. Expected string');
  if (!READ_CONCERN_LEVELS.includes(level)) {
    throw mongoError('FailedToParse', `readConcern.level must be one of ${READ_CONCERN_LEVELS.join(', ')}`);
  }
  if (level === 'linearizable' || level === 'snapshot') {
    throw new MongoError(123, 'NotAReplicaSet', 'node needs to be a replica set member to use read concern');
  }
}

/** The fields that every command has. */
const GENERIC_FIELDS: types.Fields = {
  $db: types.string,
  $readPreference: types.object,
  $clusterTime: types.any,
  apiDeprecationErrors: types.boolean,
  apiStrict: types.boolean,
  apiVersion: types.string,
  autocommit: transaction,
  comment: types.any,
  lsid: types.sessionId,
  maxTimeMS: maxTimeMs,
  readConcern,
  startTransaction: transaction,
  txnNumber: transaction,
  writeConcern,
};

/** Rejects options that a standalone mongod rejects or that are out of scope, before the command runs. */
export function checkOptions({ name, fields }: Command, request: CommandRequest): void {
  const { body, sequences } = request;
  for (const [field, value] of body) {
    const type = types.typeOf(GENERIC_FIELDS, field) ?? (fields && types.typeOf(fields, field));
    if (type !== undefined) type.check(value, `${name}.${field}`);
    else if (fields !== undefined && field !== request.name) throw types.unknownField(`${name}.${field}`);
  }
  assertApiVersion(request);
  if (fields === undefined) return;
  if (body.has('writeConcern') && !Object.hasOwn(fields, 'writeConcern'))
    throw mongoError('InvalidOptions', `Command ${name} does not support writeConcern`);
  for (const field of sequences.keys()) {
    if (types.typeOf(fields, field) === undefined) throw types.unknownField(`${name}.${field}`);
    if (body.has(field)) throw mongoError(40413, `BSON field '${name}.${field}' is a duplicate field`);
  }
  types.checkRequired(fields, name, (field) => sequences.has(field) || (body.get(field) ?? null) !== null);
}
