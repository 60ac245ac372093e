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

function error(
  status: number,
  title: string,
  remedy: string,
  more: Partial<Pick<ErrorDefinition, 'retryable' | 'outcomeIsUnknown'>> = {},
): ErrorDefinition {
  return { status, title, remedy, retryable: false, ...more };
}

export const ERRORS = {
  'malformed-request': error(
    400,
    'Malformed request',
    'Send valid HTTP with a UTF-8 JSON body, without duplicate or dangerous member names.',
  ),
  'invalid-request': error(400, 'Invalid request', 'Correct the fields listed in `errors`.'),
  'invalid-idempotency-key': error(
    400,
    'Invalid Idempotency-Key header',
    `Send one key of ${IDEMPOTENCY_KEY_FORMAT}, with or without double quotes. The text of a missing value, such as \`null\`, is rejected.`,
  ),
  'idempotency-key-required': error(
    400,
    'Idempotency-Key header required',
    'Send an `Idempotency-Key` with a new value for each payment, and send the same value with every retry. An admin can change the requirement of the application.',
  ),
  unauthenticated: error(
    401,
    'Authentication required',
    'Send `Authorization: Bearer <API key>`. The admin API requires a session token or an API token instead.',
  ),
  'invalid-api-key': error(
    401,
    'Invalid API key',
    'Check that the key is complete, active, and belongs to the environment of this address.',
  ),
  'invalid-signature': error(
    403,
    'Invalid signature',
    'Sign the exact bytes of the body with a key that this installation knows, and name the key in `Github-Public-Key-Identifier`.',
  ),
  'insufficient-scope': error(
    403,
    'Insufficient scope',
    'Grant `required_scope` to the application and the key, or use another key.',
  ),
  'ip-not-allowed': error(
    403,
    'IP address not allowed',
    'Call from an allowed network, or change the allowed CIDRs of the key. An API token cannot be changed: create another one.',
  ),
  'application-disabled': error(403, 'Application archived', 'Restore the application in the dashboard.'),
  'payment-not-found': error(
    404,
    'Payment not found',
    'Check the payment id, and that the payment belongs to this application and environment.',
  ),
  'route-not-found': error(404, 'Path not found', 'Check the path against the API reference.'),
  'method-not-allowed': error(405, 'Method not allowed', 'Use a method listed in the `Allow` header.'),
  'not-acceptable': error(
    406,
    'Not acceptable',
    'Send an `Accept` header that allows `application/json`, or omit the header.',
  ),
  'content-too-large': error(
    413,
    'Request body too large',
    `Send at most ${BODY_LIMITS.payments / 1024} KiB, or ${BODY_LIMITS.secretScanning / 1024} KiB of secret scanning alerts.`,
  ),
  'unsupported-media-type': error(
    415,
    'Unsupported content type',
    'Send `Content-Type: application/json` without a content encoding.',
  ),
  'unsupported-transfer-encoding': error(
    501,
    'Unsupported transfer coding',
    'Send the body with a `Content-Length`, or with `Transfer-Encoding: chunked` alone.',
  ),
  'payment-not-cancelable': error(
    409,
    'Payment not cancelable',
    'Only pending payments can be canceled. See `payment_status` for the current status.',
  ),
  conflict: error(
    409,
    'Conflict with the current state',
    'Read the resource again before you decide what to do.',
  ),
  'idempotency-key-reused': error(422, 'Idempotency key reused', 'Use a new key for a new request.'),
  'unsupported-currency': error(422, 'Unsupported currency', 'Send an active ISO 4217 currency code.'),
  'amount-out-of-range': error(
    422,
    'Amount out of range',
    `Send an integer number of minor units from ${MIN_AMOUNT} to ${MAX_AMOUNT}.`,
  ),
  'card-data-not-allowed': error(
    422,
    'Card numbers are not accepted',
    'Never send card numbers. Send a token of your processor as `payment_method`.',
  ),
  'rate-limited': error(
    429,
    'Too many requests',
    'Wait for the number of seconds in `Retry-After`, then retry.',
    { retryable: true },
  ),
  internal: error(
    500,
    'Internal server error',
    'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed. If the error persists, report the request id.',
    { retryable: true, outcomeIsUnknown: true },
  ),
  'upstream-error': error(
    502,
    'Invalid response from an internal service',
    'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed.',
    { retryable: true, outcomeIsUnknown: true },
  ),
  unavailable: error(
    503,
    'Service unavailable',
    'Wait for the number of seconds in `Retry-After`, then retry with the same `Idempotency-Key`.',
    { retryable: true },
  ),
  'upstream-timeout': error(
    504,
    'Internal service timed out',
    'Retry with the same `Idempotency-Key`. Without a key, check whether the request was processed.',
    { retryable: true, outcomeIsUnknown: true },
  ),
  forbidden: error(
    403,
    'Insufficient role',
    'Ask an owner or an admin of the team to perform the operation or to change your role.',
  ),
  'reauthentication-required': error(
    403,
    'Recent authentication required',
    'Confirm your identity with `POST /admin/v1/me/reauthenticate`, or sign in again if you use single sign-on. Then repeat the request.',
  ),
  'not-found': error(404, 'Not found', 'Check the id, and that the resource belongs to your team.'),
  'precondition-failed': error(
    412,
    'Resource changed since you read it',
    'Read the resource again and repeat the change with the new `ETag`.',
  ),
  'precondition-required': error(
    428,
    'If-Match header required',
    'Send `If-Match` with the `ETag` that you read.',
  ),
  'sign-in-failed': error(401, 'Sign-in failed', 'Check the email address, password, and code.'),
  'second-factor-required': error(
    401,
    'Two-factor authentication required',
    'Repeat the request with one of the `factors` of the member: a `passkey`, the code of the authenticator app as `totp`, or a `recovery_code`.',
  ),
  'second-factor-setup-required': error(
    403,
    'Second factor required by the team',
    'Add a passkey or an authenticator app in your account. Then repeat the request.',
  ),
  'sso-failed': error(
    401,
    'Single sign-on failed',
    'Start the sign-in again. If it fails again, show `detail` to an owner of the team.',
  ),
  'sso-required': error(
    403,
    'Single sign-on required',
    'Sign in with single sign-on. Only owners of the team and admins of the installation can use a password or a passkey.',
  ),
  'invalid-session': error(401, 'Invalid or expired session', 'Sign in again.'),
  'invalid-api-token': error(
    401,
    'Invalid API token',
    'Check that the token is complete and active. An admin of the team can create another one.',
  ),
  'last-owner': error(409, 'Team needs an owner', 'Make another member an owner first.'),
  'too-many-attempts': error(
    429,
    'Too many attempts',
    'Wait for the number of seconds in `Retry-After`, then try again.',
    { retryable: true },
  ),
  'reply-too-large': error(502, 'Response too large', 'Request fewer rows.'),
  'query-timeout': error(
    503,
    'Search took too long',
    'Narrow the search, for example to a shorter period. The same search may also succeed later.',
    { retryable: true },
  ),
} satisfies Record<string, ErrorDefinition>;

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
