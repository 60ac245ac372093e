import mongoose, { mongo } from 'mongoose';
import { batchFailureOf, isUnconfirmedBatch } from './batch-failure.ts';

/**
 * Whether a query failed because MongoDB is unreachable, in failover, or too slow, rather than because the query is
 * invalid. The write may still have happened: the caller repeats it under the same idempotency key.
 */
export function isStoreUnavailable(error: Error): boolean {
  if (error instanceof mongo.MongoError && error.hasErrorLabel('RetryableWriteError')) return true;
  if ('code' in error && (SOCKET_ERRORS.has(error.code) || FAILOVER_CODES.has(error.code))) return true;
  if ('code' in error && error.code === OUT_OF_DISK_SPACE) return true;
  if (error.name === WAITED_FOR_CONNECTION) return true;
  if (error instanceof mongo.MongoBulkWriteError) return isBatchUnavailable(error);
  return UNAVAILABLE.some((kind) => error instanceof kind);
}

/** A batch also fails because MongoDB has rejected some of its writes, which is no outage. */
function isBatchUnavailable(error: mongo.MongoBulkWriteError): boolean {
  if (isUnconfirmedBatch(error)) return true;
  const failure = batchFailureOf(error);
  return failure !== error && failure instanceof Error && isStoreUnavailable(failure);
}

/** All connections were busy for too long. The driver does not export the class. */
const WAITED_FOR_CONNECTION = 'MongoWaitQueueTimeoutError';

/** The driver passes these on unchanged when a connection ends while it waits to write. */
const SOCKET_ERRORS = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/**
 * Errors of a read during a failover, which lack the RetryableWriteError label: ShutdownInProgress, PrimarySteppedDown,
 * InterruptedAtShutdown, InterruptedDueToReplStateChange, NotWritablePrimary, NotPrimaryNoSecondaryOk.
 */
const FAILOVER_CODES = new Set<unknown>([91, 189, 11600, 11602, 10107, 13435]);

/** The caller may repeat the request when an operator has enlarged the disk. */
const OUT_OF_DISK_SPACE = 14031;

const UNAVAILABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoWriteConcernError,
  // mongoose throws this for a query without a connection, because commands are not buffered.
  mongoose.Error.MongooseServerSelectionError,
];
