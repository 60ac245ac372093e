import { ERRORS, type ErrorCode, isErrorCode } from '@tollgate/contracts/platform/errors';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { type LoggedError, loggedErrors } from '@tollgate/contracts/usage/logged-error';
import { PAYMENT_PATH } from '../operations/operations.ts';
import type { UpstreamResponse } from './exchange.ts';
import { RETRY_AFTER_UNAVAILABLE_S } from './payments-upstream.ts';

export interface PublicResponse {
  status: number;
  headers: Record<string, string>;
  /** Undefined for a 304. */
  body?: Buffer;
  /** Error code of a problem, for the log; null for a success. */
  code: ErrorCode | null;
  /** Errors of single fields, for the log. */
  errors: LoggedError[];
}

const JSON_TYPE = /^application\/json(?:; *charset=utf-8)?$/i;
const PROBLEM_TYPE = /^application\/problem\+json(?:; *charset=utf-8)?$/i;

/** Node throws for other characters in a header, when the response can no longer be another one. */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/** The only response headers that reach the caller. All others, set by payments or a hop before it, stay internal. */
const SUCCESS_HEADERS = ['etag', HEADERS.idempotentReplayed] as const;

/**
 * Error codes that payments may return to the caller. If payments rejects the gateway itself (a bad signature is a 401
 * there), the caller is not at fault and must not see that error.
 */
const RELAYED_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'malformed-request',
  'invalid-request',
  'invalid-idempotency-key',
  'payment-not-found',
  'content-too-large',
  'unsupported-media-type',
  'payment-not-cancelable',
  'precondition-failed',
  'conflict',
  'idempotency-key-reused',
  'unsupported-currency',
  'amount-out-of-range',
  'card-data-not-allowed',
  'internal',
  'unavailable',
]);

/** Statuses of payments that the caller's request can cause. */
const CALLER_STATUSES: ReadonlySet<number> = new Set([400, 404, 409, 412, 422]);

/** Maps a response of payments to the caller's; null if payments would never send it. */
export function toPublicResponse(response: UpstreamResponse): PublicResponse | null {
  if (response.status === 304) return { status: 304, headers: pick(response), code: null, errors: [] };
  if (SUCCESSES.has(response.status)) return success(response);
  if (response.status >= 400) return problem(response);
  return null;
}

/** When the request changed the payment; null if it changed nothing. Counted as usage, never sent to the caller. */
export function changedAtOf({ headers }: UpstreamResponse): Date | null {
  const changedAt = headers[HEADERS.changedAt];
  const date = typeof changedAt === 'string' ? new Date(changedAt) : null;
  return date && !Number.isNaN(date.getTime()) ? date : null;
}

const SUCCESSES: ReadonlySet<number> = new Set([200, 201, 202]);
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

function success(response: UpstreamResponse): PublicResponse | null {
  const { body } = response;
  const isJsonObject =
    JSON_TYPE.test(String(response.headers['content-type'])) &&
    body[0] === OPENING_BRACE &&
    body.at(-1) === CLOSING_BRACE;
  if (!isJsonObject) return null;
  const headers = { ...pick(response), ...location(response), 'content-type': 'application/json' };
  return { status: response.status, headers, body, code: null, errors: [] };
}

/** A path only: an absolute URL would name the instance. */
function location({ headers: { location: path } }: UpstreamResponse): Record<string, string> {
  if (!path?.startsWith(PAYMENT_PATH) || !VISIBLE_ASCII.test(path)) return {};
  return { location: path };
}

/** Problems of payments have the public format and carry the caller's request id already. */
function problem(response: UpstreamResponse): PublicResponse | null {
  if (!PROBLEM_TYPE.test(String(response.headers['content-type']))) return null;
  const members = jsonObject(response.body);
  const code = String(members?.['code']);
  if (!members || !isRelayed(code, response.status)) return null;
  const retryable = members['retryable'] === true;
  const headers = {
    ...retryAfter(response),
    'content-type': 'application/problem+json',
    'x-should-retry': String(retryable),
  };
  const body = Buffer.from(JSON.stringify({ ...members, retryable }));
  const errors = loggedErrors(members['errors']);
  return { status: response.status, headers, body, code: isErrorCode(code) ? code : null, errors };
}

function retryAfter({ status, headers }: UpstreamResponse): Record<string, string> {
  const seconds = headers['retry-after'];
  if (seconds !== undefined && /^\d{1,5}$/.test(seconds)) return { 'retry-after': seconds };
  return status === 503 ? { 'retry-after': String(RETRY_AFTER_UNAVAILABLE_S) } : {};
}

/** A code of a later release is relayed if its status says that the caller's request is the cause. */
function isRelayed(code: string, status: number): boolean {
  if (isErrorCode(code)) return RELAYED_CODES.has(code) && ERRORS[code].status === status;
  return CALLER_STATUSES.has(status);
}

function jsonObject(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function pick(response: UpstreamResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of SUCCESS_HEADERS) {
    const value = response.headers[name];
    if (typeof value === 'string' && VISIBLE_ASCII.test(value)) headers[name] = value;
  }
  return headers;
}
