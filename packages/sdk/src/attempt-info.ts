import type { TollgateError } from './errors.ts';

/** One request and its outcome, for a log or a metric. It contains no header, no body, and not the API key. */
export interface AttemptInfo {
  method: 'GET' | 'POST';
  /** Path after the base URL, such as `/v1/payments`. */
  path: string;
  /** 1 for the first request of a call. */
  attempt: number;
  durationMs: number;
  /** HTTP status, if there was a response. */
  status: number | undefined;
  requestId: string | undefined;
  /** The key of the call, which all its attempts share; undefined for a `retrieve`. */
  idempotencyKey: string | undefined;
  /** Undefined if the attempt succeeded. */
  error: TollgateError | undefined;
  /** Wait before the next attempt; undefined if this is the last one. */
  retryInMs: number | undefined;
}
