import { mongo } from 'mongoose';

/** What a failed batch of writes failed with: the driver wraps every failure, such as a lost connection. */
export function batchFailureOf(error: unknown): unknown {
  if (!(error instanceof mongo.MongoBulkWriteError)) return error;
  const { errorResponse } = error as { errorResponse: unknown };
  return errorResponse instanceof Error ? errorResponse : error;
}

/** Whether no majority has confirmed the writes of a batch that were not rejected: a failover can roll them back. */
export function isUnconfirmedBatch(error: unknown): boolean {
  return error instanceof mongo.MongoBulkWriteError && error.result.getWriteConcernError() !== undefined;
}
