import type { ErrorCode } from './error-code.ts';
import type { Problem } from './problem.ts';

export interface ErrorDetails {
  code: ErrorCode;
  status?: number | undefined;
  requestId?: string | undefined;
  problem?: Problem | undefined;
  idempotencyKey?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** What every error of this package extends. */
export class TollgateError extends Error {
  /** Stable code to branch on, from the API's catalogue or from this package. */
  readonly code: ErrorCode;
  /** HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** The whole error response of the API. */
  readonly problem: Problem | undefined;
  /** The key of the failed call. With it, the same call can be repeated later without a second effect. */
  readonly idempotencyKey: string | undefined;
  /** How long the server asked to wait before another attempt. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ErrorDetails) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    // Not new.target.name, which minifiers change.
    this.name = 'TollgateError';
    this.code = details.code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.problem = details.problem;
    this.idempotencyKey = details.idempotencyKey;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** An argument that this package rejects before it sends a request. */
export class InvalidArgumentError extends TollgateError {
  override readonly name = 'InvalidArgumentError';
}

/** No complete response arrived. The request may have been processed. */
export class ConnectionError extends TollgateError {
  override readonly name = 'ConnectionError';
}

/** No complete response arrived in time, or the server timed out. The request may have been processed. */
export class TimeoutError extends TollgateError {
  override readonly name = 'TimeoutError';
}

/** The signal of the call aborted it. `cause` is the reason of the signal. A request may have been processed. */
export class AbortError extends TollgateError {
  override readonly name = 'AbortError';
}

/** A response that is not from the API, such as a page of a proxy, or none from a custom `fetch`. Check `baseUrl`. */
export class UnexpectedResponseError extends TollgateError {
  override readonly name = 'UnexpectedResponseError';
}

/** 400, 422, and every other rejection of the request itself. */
export class InvalidRequestError extends TollgateError {
  override readonly name = 'InvalidRequestError';
}

/** 401: the API key is missing, invalid, revoked, or of the other environment. */
export class AuthenticationError extends TollgateError {
  override readonly name = 'AuthenticationError';
}

/** 403: the API key is valid, but not for this operation or from this address. */
export class PermissionError extends TollgateError {
  override readonly name = 'PermissionError';
}

/** 404: the payment does not exist in this application and environment. */
export class NotFoundError extends TollgateError {
  override readonly name = 'NotFoundError';
}

/** 409: the payment is not in a state that allows this. */
export class ConflictError extends TollgateError {
  override readonly name = 'ConflictError';
}

/** 429 */
export class RateLimitError extends TollgateError {
  override readonly name = 'RateLimitError';
}

/** 5xx */
export class ServerError extends TollgateError {
  override readonly name = 'ServerError';
}

/** A webhook request that the endpoint's secret did not sign, or not recently. */
export class WebhookVerificationError extends TollgateError {
  override readonly name = 'WebhookVerificationError';
}
