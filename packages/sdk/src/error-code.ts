import type { Open } from './open.ts';

/** Codes of the API that its reference lists for payments. */
export type ApiErrorCode =
  | 'amount-out-of-range'
  | 'application-disabled'
  | 'card-data-not-allowed'
  | 'content-too-large'
  | 'idempotency-key-required'
  | 'idempotency-key-reused'
  | 'insufficient-scope'
  | 'internal'
  | 'invalid-api-key'
  | 'invalid-idempotency-key'
  | 'invalid-request'
  | 'ip-not-allowed'
  | 'malformed-request'
  | 'not-acceptable'
  | 'payment-not-cancelable'
  | 'payment-not-found'
  | 'precondition-failed'
  | 'rate-limited'
  | 'route-not-found'
  | 'unauthenticated'
  | 'unavailable'
  | 'unsupported-currency'
  | 'unsupported-media-type'
  | 'unsupported-transfer-encoding'
  | 'upstream-error'
  | 'upstream-timeout';

/** Codes of an InvalidArgumentError. */
export type ArgumentErrorCode =
  | 'amount-out-of-range'
  | 'amount-too-precise'
  | 'invalid-amount'
  | 'invalid-api-key'
  | 'invalid-base-url'
  | 'invalid-body'
  | 'invalid-event'
  | 'invalid-fetch'
  | 'invalid-headers'
  | 'invalid-idempotency-key'
  | 'invalid-max-retries'
  | 'invalid-now'
  | 'invalid-on-attempt'
  | 'invalid-options'
  | 'invalid-params'
  | 'invalid-payment-id'
  | 'invalid-secret'
  | 'invalid-signal'
  | 'invalid-timeout'
  | 'invalid-tolerance'
  | 'unsupported-currency';

/** Codes of a WebhookVerificationError. */
export type WebhookErrorCode =
  | 'invalid-header'
  | 'invalid-payload'
  | 'missing-header'
  | 'signature-mismatch'
  | 'timestamp-too-new'
  | 'timestamp-too-old';

/** Codes of a call without a response in the format of the API. */
type CallErrorCode = 'aborted' | 'connection-failed' | 'timeout' | 'unexpected-response';

/** Codes of every error of this package. Later releases may add codes. */
export type ErrorCode = Open<ApiErrorCode | ArgumentErrorCode | WebhookErrorCode | CallErrorCode>;
