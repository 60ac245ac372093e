/**
 * Every error a caller can meet. The reference is made from this table (`/docs/errors`), and a test proves that it lists each code.
 * `retryable` says whether the same request may succeed later, unchanged.
 */
interface ErrorDefinition {
  status: number;
  title: string;
  /** What the caller does about it. */
  remedy: string;
  retryable: boolean;
}

const define = <T extends Record<string, ErrorDefinition>>(errors: T): T => errors;

export const ERRORS = define({
  'malformed-request': {
    status: 400,
    title: 'The request could not be read',
    remedy: 'Send valid HTTP with a UTF-8 JSON body, without duplicate or dangerous member names.',
    retryable: false,
  },
  'invalid-request': {
    status: 400,
    title: 'A field of the request is not valid',
    remedy: 'Correct the fields that `errors` names.',
    retryable: false,
  },
  'invalid-idempotency-key': {
    status: 400,
    title: 'The Idempotency-Key header is not valid',
    remedy: 'Send one key of 1 to 255 visible ASCII characters, bare or in double quotes.',
    retryable: false,
  },
  unauthenticated: {
    status: 401,
    title: 'No credential was sent',
    remedy: 'Send `Authorization: Bearer <API key>`; to the admin API, the token of a session.',
    retryable: false,
  },
  'invalid-api-key': {
    status: 401,
    title: 'The API key is not valid',
    remedy: 'Check that the key is complete, active, and meant for this environment’s address.',
    retryable: false,
  },
  'insufficient-scope': {
    status: 403,
    title: 'The API key lacks a scope',
    remedy: 'Grant `required_scope` to the application and the key, or use another key.',
    retryable: false,
  },
  'ip-not-allowed': {
    status: 403,
    title: 'The API key may not be used from this address',
    remedy: 'Call from an allowed network, or change the key’s allowed CIDRs.',
    retryable: false,
  },
  'application-disabled': {
    status: 403,
    title: 'The application is archived',
    remedy: 'Restore the application in the dashboard.',
    retryable: false,
  },
  'payment-not-found': {
    status: 404,
    title: 'There is no such payment',
    remedy: 'Check the id, and that the payment belongs to this application and environment.',
    retryable: false,
  },
  'route-not-found': {
    status: 404,
    title: 'There is nothing at this path',
    remedy: 'Check the path against the reference.',
    retryable: false,
  },
  'method-not-allowed': {
    status: 405,
    title: 'This path does not take this method',
    remedy: 'Use a method that the `Allow` header names.',
    retryable: false,
  },
  'not-acceptable': {
    status: 406,
    title: 'The response cannot be given in an accepted type',
    remedy: 'Accept `application/json`.',
    retryable: false,
  },
  'content-too-large': {
    status: 413,
    title: 'The body is too large',
    remedy: 'Send at most 128 KiB.',
    retryable: false,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body has an unsupported type',
    remedy: 'Send `Content-Type: application/json`, without a content encoding.',
    retryable: false,
  },
  'payment-not-cancelable': {
    status: 409,
    title: 'The payment can no longer be canceled',
    remedy: 'Only pending payments can be canceled; `payment_status` says where this one is.',
    retryable: false,
  },
  conflict: {
    status: 409,
    title: 'The request conflicts with another change',
    remedy: 'Read the resource again, then decide.',
    retryable: false,
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The idempotency key was used for another request',
    remedy: 'Use a new key for a new request.',
    retryable: false,
  },
  'unsupported-currency': {
    status: 422,
    title: 'The currency is not supported',
    remedy: 'Send an active ISO 4217 currency code.',
    retryable: false,
  },
  'amount-out-of-range': {
    status: 422,
    title: 'The amount is out of range',
    remedy: 'Send an integer of minor units from 1 to 999999999999.',
    retryable: false,
  },
  'card-data-not-allowed': {
    status: 422,
    title: 'The request contains a card number',
    remedy: 'Never send card numbers; send a token of your processor as `payment_method`.',
    retryable: false,
  },
  'rate-limited': {
    status: 429,
    title: 'Too many requests',
    remedy: 'Wait for `Retry-After` seconds, then retry.',
    retryable: true,
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    remedy: 'Retry with the same Idempotency-Key; if it persists, report the request id.',
    retryable: true,
  },
  'upstream-error': {
    status: 502,
    title: 'A service behind the gateway gave no valid answer',
    remedy: 'Retry, with the same Idempotency-Key where there was one.',
    retryable: true,
  },
  unavailable: {
    status: 503,
    title: 'The service is not available at the moment',
    remedy: 'Wait for `Retry-After` seconds, then retry with the same Idempotency-Key.',
    retryable: true,
  },
  'upstream-timeout': {
    status: 504,
    title: 'A service behind the gateway did not answer in time',
    remedy: 'Retry with the same Idempotency-Key: the request may have been carried out.',
    retryable: true,
  },
  forbidden: {
    status: 403,
    title: 'Your role does not allow this',
    remedy: 'Ask an owner or admin of the team.',
    retryable: false,
  },
  'not-found': {
    status: 404,
    title: 'There is no such thing',
    remedy: 'Check the id, and that it belongs to your team.',
    retryable: false,
  },
  'precondition-failed': {
    status: 412,
    title: 'It has changed since you read it',
    remedy: 'Read it again and repeat the change with the new `ETag`.',
    retryable: false,
  },
  'precondition-required': {
    status: 428,
    title: 'The change needs an If-Match header',
    remedy: 'Send `If-Match` with the `ETag` you read.',
    retryable: false,
  },
  'sign-in-failed': {
    status: 401,
    title: 'The sign-in failed',
    remedy: 'Check the email address, the password and the code.',
    retryable: false,
  },
  'second-factor-required': {
    status: 401,
    title: 'The sign-in needs a second factor',
    remedy: 'Repeat it with the code of the authenticator app as `totp`, or with a `recovery_code`.',
    retryable: false,
  },
  'invalid-session': {
    status: 401,
    title: 'There is no such session',
    remedy: 'Sign in again.',
    retryable: false,
  },
  'last-owner': {
    status: 409,
    title: 'The team would be left without an owner',
    remedy: 'Make another member an owner first.',
    retryable: false,
  },
  'too-many-attempts': {
    status: 429,
    title: 'Too many attempts',
    remedy: 'Wait for `Retry-After` seconds.',
    retryable: true,
  },
  'reply-too-large': {
    status: 502,
    title: 'The answer is too large for one reply',
    remedy: 'Ask for fewer rows.',
    retryable: false,
  },
});

export type ErrorCode = keyof typeof ERRORS;
