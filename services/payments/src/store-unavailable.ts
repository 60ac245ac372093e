import mongoose, { mongo } from 'mongoose';

/**
 * Whether a query failed because MongoDB is out of reach, changing its primary or too slow, rather than because it is wrong.
 * The write may have happened all the same: the caller repeats it under the same idempotency key.
 */
export function isStoreUnavailable(error: Error): boolean {
  if (error instanceof mongo.MongoError && error.hasErrorLabel('RetryableWriteError')) return true;
  return UNAVAILABLE.some((kind) => error instanceof kind);
}

const UNAVAILABLE = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
  mongo.MongoWriteConcernError,
  // mongoose's own word for a query on a connection that is not there, since commands are not buffered.
  mongoose.Error.MongooseServerSelectionError,
];
