import { BODY_LIMITS } from './body-limits.ts';
import { IDEMPOTENCY_KEY_FORMAT } from './headers.ts';
import { MAX_AMOUNT, MIN_AMOUNT } from './money.ts';

/**
 * Every error that a caller can receive. The API reference (`/docs/errors`) is generated from this table, and a test
 * checks that it lists every code.
 */
export interface ErrorDefinition {
  status: number;
  title: string;
  /** What the caller should do next. */
  remedy: string;
  /** Whether the same request, unchanged, may succeed later. See `isRetryable` for a single request. */
  retryable: boolean;
  /** Whether the request may have been processed. */
  outcomeIsUnknown?: boolean;
}

const define = <T extends Record<string, ErrorDefinition>>(errors: T): T => errors;

export const ERRORS = define({
  'malformed-request': {
    status: 400,
    title: 'Malformed request',
    remedy: 'Send valid HTTP with a UTF-8 JSON body, without duplicate or dangerous member names.',
    retryable: false,
  },
  'invalid-request': {
    status: 400,
    title: 'Invalid request',
    remedy: 'Correct the fields listed in `errors`.',
    retryable: false,
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'Invalid Idempotency-Key header',
    remedy: `Send one key of ${IDEMPOTENCY_KEY_FORMAT}, with or without double quotes. The text of a missing value, such as \`null\`, is rejected.`,
    retryable: false,
  },
  'idempotency-key-required': {
    status: 400,
    title: 'Idempotency-Key header required',
    remedy:
      'Send an `Idempotency-Key` with a new value for each payment, and send the same value with every retry. An admin can change the requirement of the application.',
    retryable: false,
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    remedy:
      'Send `Authorization: Bearer <API key>`. The admin API requires a session token or an API token instead.',
    retryable: false,
  },
  'invalid-api-key': {
    status: 401,
    title: 'Invalid API key',
    remedy: 'Check that the key is complete, active, and belongs to the environment of this address.',
    retryable: false,
  },
  'invalid-signature': {
    status: 403,
    title: 'Invalid signature',
    remedy:
      'Sign the exact bytes of the body with a key that this installation knows, and name the key in `Github-Public-Key-Identifier`.',
    retryable: false,
  },
  'insufficient-scope': {
    status: 403,
    title: 'Insufficient scope',
    remedy: 'Grant `required_scope` to the application and the key, or use another key.',
    retryable: false,
  },
  'ip-not-allowed': {
    status: 403,
    title: 'IP address not allowed',
    remedy:
      'Call from an allowed network, or change the allowed CIDRs of the key. An API token cannot be changed: create another one.',
    retryable: false,
  },
  'application-disabled': {
    status: 403,
    title: 'Application archived',
    remedy: 'Restore the application in the dashboard.',
    retryable: false,
  },
  'payment-not-found': {
    status: 404,
    title: 'Payment not found',
    remedy: 'Check the payment id, and that the payment belongs to this application and environment.',
    retryable: false,
  },
  'route-not-found': {
    status: 404,
    title: 'Path not found',
    remedy: 'Check the path against the API reference.',
    retryable: false,
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    remedy: 'Use a method listed in the `Allow` header.',
    retryable: false,
  },
  'not-acceptable': {
    status: 406,
    title: 'Not acceptable',
    remedy: 'Send an `Accept` header that allows `application/json`, or omit the header.',
    retryable: false,
  },
  'content-too-large': {
    status: 413,
    title: 'Request body too large',
    remedy: `Send at most ${BODY_LIMITS.payments / 1024} KiB, or ${BODY_LIMITS.secretScanning / 1024} KiB of secret scanning alerts.`,
    retryable: false,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'Unsupported content type',
    remedy: 'Send `Content-Type: application/json` without a content encoding.',
    retryable: false,
  },
  'unsupported-transfer-encoding': {
    status: 501,
    title: 'Unsupported transfer coding',
    remedy: 'Send the body with a `Content-Length`, or with `Transfer-Encoding: chunked` alone.',
    retryable: false,
  },
  'payment-not-cancelable': {
    status: 409,
    title: 'Payment not cancelable',
    remedy: 'Only pending payments can be canceled. See `payment_status` for the current status.',
    retryable: false,
  },
  conflict: {
    status: 409,
    title: 'Conflict with the current state',
    remedy: 'Read the resource again before you decide what to do.',
    retryable: false,
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'Idempotency key reused',
    remedy: 'Use a new key for a new request.',
    retryable: false,
  },
  'unsupported-currency': {
    status: 422,
    title: 'Unsupported currency',
    remedy: 'Send an active ISO 4217 currency code.',
    retryable: false,
  },
  'amount-out-of-range': {
    status: 422,
    title: 'Amount out of range',
    remedy: `Send an integer number of minor units from ${MIN_AMOUNT} to ${MAX_AMOUNT}.`,
    retryable: false,
  },
  'card-data-not-allowed': {
    status: 422,
    title: 'Card numbers are not accepted',
    remedy: 'Never send card numbers. Send a token of your processor as `payment_method`.',
    retryable: false,
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
    retryable: true,
  },
  internal: {
    status: 500,
    title: 'Internal server error',
    remedy:
      'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed. If the error persists, report the request id.',
    retryable: true,
    outcomeIsUnknown: true,
  },
  'upstream-error': {
    status: 502,
    title: 'Invalid response from an internal service',
    remedy: 'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed.',
    retryable: true,
    outcomeIsUnknown: true,
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
    retryable: true,
  },
  'upstream-timeout': {
    status: 504,
    title: 'Internal service timed out',
    remedy: 'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed.',
    retryable: true,
    outcomeIsUnknown: true,
  },
  forbidden: {
    status: 403,
    title: 'Insufficient role',
    remedy: 'Ask an owner or an admin of the team to perform the operation or to change your role.',
    retryable: false,
  },
  'reauthentication-required': {
    status: 403,
    title: 'Recent authentication required',
    remedy:
      'Confirm your identity with `POST /admin/v1/me/reauthenticate`, or sign in again if you use single sign-on. Then repeat the request.',
    retryable: false,
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    remedy: 'Check the id, and that the resource belongs to your team.',
    retryable: false,
  },
  'precondition-failed': {
    status: 412,
    title: 'Resource changed since you read it',
    remedy: 'Read the resource again and repeat the change with the new `ETag`.',
    retryable: false,
  },
  'precondition-required': {
    status: 428,
    title: 'If-Match header required',
    remedy: 'Send `If-Match` with the `ETag` that you read.',
    retryable: false,
  },
  'sign-in-failed': {
    status: 401,
    title: 'Sign-in failed',
    remedy: 'Check the email address, password, and code.',
    retryable: false,
  },
  'second-factor-required': {
    status: 401,
    title: 'Two-factor authentication required',
    remedy:
      'Repeat the request with one of the `factors` of the member: a `passkey`, the code of the authenticator app as `totp`, or a `recovery_code`.',
    retryable: false,
  },
  'second-factor-setup-required': {
    status: 403,
    title: 'Second factor required by the team',
    remedy: 'Add a passkey or an authenticator app in your account. Then repeat the request.',
    retryable: false,
  },
  'sso-failed': {
    status: 401,
    title: 'Single sign-on failed',
    remedy: 'Start the sign-in again. If it fails again, show `detail` to an owner of the team.',
    retryable: false,
  },
  'sso-required': {
    status: 403,
    title: 'Single sign-on required',
    remedy: 'Sign in with single sign-on. Only owners of the team can use a password or a passkey.',
    retryable: false,
  },
  'invalid-session': {
    status: 401,
    title: 'Invalid or expired session',
    remedy: 'Sign in again.',
    retryable: false,
  },
  'invalid-api-token': {
    status: 401,
    title: 'Invalid API token',
    remedy: 'Check that the token is complete and active. An admin of the team can create another one.',
    retryable: false,
  },
  'last-owner': {
    status: 409,
    title: 'Team needs an owner',
    remedy: 'Make another member an owner first.',
    retryable: false,
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many attempts',
    remedy: 'Wait for the number of seconds in `Retry-After`, then try again.',
    retryable: true,
  },
  'reply-too-large': {
    status: 502,
    title: 'Response too large',
    remedy: 'Request fewer rows.',
    retryable: false,
  },
  'query-timeout': {
    status: 503,
    title: 'Search took too long',
    remedy: 'Narrow the search, for example to a shorter period. The same search may also succeed later.',
    retryable: true,
  },
});

export type ErrorCode = keyof typeof ERRORS;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** The code that stands for a problem of this status whose own code this release does not know. */
export function generalErrorCode(status: number): ErrorCode {
  return GENERAL_CODES[status] ?? 'upstream-error';
}

const GENERAL_CODES: Record<number, ErrorCode> = {
  400: 'invalid-request',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  422: 'invalid-request',
  429: 'too-many-attempts',
  503: 'unavailable',
  504: 'upstream-timeout',
};
