import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';

/** Codes of the server that the client does not name. */
const SEQUENCE_NOT_FOUND = 10_043;
const DELETE_FAILED = 10_057;

export function isStreamNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** Whether a deletion failed because the message does not exist. The server's code depends on whether the block that held it still exists. */
export function isMessageNotFound(error: unknown): boolean {
  if (!(error instanceof JetStreamApiError)) return false;
  return (
    error.code === SEQUENCE_NOT_FOUND ||
    (error.code === DELETE_FAILED && error.message === 'no message found')
  );
}

/** The subject has no listener: for a publish, its stream does not exist, or JetStream is not ready yet. */
export function isUnstored(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof RequestError && error.cause.isNoResponders();
}

export function isWrongRevision(error: unknown): boolean {
  return (
    error instanceof JetStreamApiError &&
    (error.code === JetStreamApiCodes.StreamWrongLastSequence ||
      error.code === JetStreamApiCodes.StreamWrongLastSequenceUnknown)
  );
}
