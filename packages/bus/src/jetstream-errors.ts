import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';

export function isStreamNotFound(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
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
