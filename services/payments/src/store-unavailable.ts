import mongoose, { mongo } from 'mongoose';

/**
 * Whether a query failed because MongoDB is out of reach, changing its primary or too slow, rather than because it is wrong.
 * The write may have happened all the same: the caller repeats it under the same idempotency key.
 */
export function isStoreUnavailable(error: Error): boolean {
  if (error instanceof mongo.MongoError && error.hasErrorLabel('RetryableWriteError')) return true;
  if ('code' in error && (SOCKET_ERRORS.has(error.code) || FAILOVER_CODES.has(error.code))) return true;
  if (error.name === WAITED_FOR_CONNECTION) return true;
  return UNAVAILABLE.some((kind) => error instanceof kind);
}

/** All connections were busy for too long. The driver does not export the class. */
const WAITED_FOR_CONNECTION = 'MongoWaitQueueTimeoutError';

/** The driver passes these on as they are when a connection ends while it waits to write. */
const SOCKET_ERRORS = new Set<unknown>(['EPIPE', 'ECONNRESET']);

/**
 * A read that meets a failover has no RetryableWriteError label: ShutdownInProgress, PrimarySteppedDown, InterruptedAtShutdown,
 * InterruptedDueToReplStateChange, NotWritablePrimary, NotPrimaryNoSecondaryOk.
 */
const FAILOVER_CODES = new Set<unknown>([91, 189, 11600, 11602, 10107, 13435]);

const UNAVAILABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoWriteConcernError,
  // mongoose's own word for a query on a connection that is missing, since commands are not buffered.
  mongoose.Error.MongooseServerSelectionError,
];
