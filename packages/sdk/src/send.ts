import type { Clock } from './clock.ts';
import { ConnectionError, InvalidArgumentError, TimeoutError, type TollgateError } from './errors.ts';
import { readText } from './read-text.ts';
import { asProblem, responseError } from './response-error.ts';
import { nextWaitMs, retryAfterMs, shouldRetry } from './retry.ts';

export interface RequestOptions {
  /** Cancels the call, also while it waits for the next attempt. The call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Deadline of the whole call, with all attempts and waits. */
  timeoutMs?: number;
}

export interface WriteOptions extends RequestOptions {
  /**
   * 1 to 255 visible ASCII characters. The same key with the same request has no second effect. By default every
   * call has a new key, which its attempts share.
   */
  idempotencyKey?: string;
}

/** What all calls of a client have in common. */
export interface Connection {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  clock: Clock;
}

/** One call of the API. `body` makes it a POST. */
export interface Call {
  path: string;
  body?: object;
  options: WriteOptions;
  /** Whether a parsed successful response is what this call returns. */
  isExpected(body: unknown): boolean;
}

/** Visible ASCII; the length is the limit of the gateway. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;
/** Timers of JavaScript hold 31 bits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const JSON_TYPE = /^application\/(problem\+)?json *(;|$)/i;

interface PreparedRequest {
  url: string;
  init: RequestInit;
  idempotencyKey?: string;
}

/** The end of one attempt: a result, or an error and whether another attempt may succeed. */
type Attempt = { body: unknown } | { error: TollgateError; isRetryable: boolean };

/** Sends a request until it succeeds, may not be repeated, or the deadline is too close for another attempt. */
export async function send(connection: Connection, call: Call): Promise<unknown> {
  const { clock, maxRetries } = connection;
  const { signal, timeoutMs = connection.timeoutMs } = call.options;
  const request = buildRequest(connection, call);
  const deadlineMs = clock.nowMs() + timeoutMs;
  for (let attempts = 1; ; attempts += 1) {
    signal?.throwIfAborted();
    const attempt = await attemptOnce(connection, call, request, deadlineMs);
    if ('body' in attempt) return attempt.body;
    const { error, isRetryable } = attempt;
    if (!isRetryable || attempts > maxRetries) throw error;
    const waitMs = nextWaitMs(attempts, error.retryAfterMs, clock.random);
    // An error that says what is wrong helps more than a timeout later.
    if (waitMs === undefined || clock.nowMs() + waitMs >= deadlineMs) throw error;
    await clock.sleep(waitMs, signal);
  }
}

/** What all attempts send: they share the idempotency key. */
function buildRequest({ apiKey, baseUrl }: Connection, { path, body, options }: Call): PreparedRequest {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  // A redirect would send the API key to another address.
  const init = { headers, redirect: 'manual' } as const;
  const url = baseUrl + path;
  if (!body) return { url, init: { ...init, method: 'GET' } };
  const idempotencyKey = keyOf(options);
  const postHeaders = { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return {
    url,
    idempotencyKey,
    init: { ...init, method: 'POST', headers: postHeaders, body: JSON.stringify(body) },
  };
}

function keyOf({ idempotencyKey = crypto.randomUUID() }: WriteOptions): string {
  if (IDEMPOTENCY_KEY.test(idempotencyKey)) return idempotencyKey;
  throw new InvalidArgumentError('idempotencyKey must have 1 to 255 visible ASCII characters.', {
    code: 'invalid-idempotency-key',
  });
}

async function attemptOnce(
  connection: Connection,
  call: Call,
  { url, init, idempotencyKey }: PreparedRequest,
  deadlineMs: number,
): Promise<Attempt> {
  const { apiKey, baseUrl, clock } = connection;
  const { signal } = call.options;
  const controller = new AbortController();
  let isTimedOut = false;
  const stop = () => controller.abort(signal?.reason);
  const onDeadline = () => {
    isTimedOut = true;
    controller.abort();
  };
  const timer = setTimeout(onDeadline, Math.min(deadlineMs - clock.nowMs(), LONGEST_TIMER_MS));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    // Called without a receiver: the fetch of browsers and Workers rejects any other than the global object.
    const { fetch } = connection;
    const response = await fetch(url, { ...init, signal: controller.signal });
    return await evaluate(response, call, { apiKey, idempotencyKey });
  } catch (error) {
    signal?.throwIfAborted();
    if (isTimedOut) {
      const message =
        'The deadline passed before a complete response arrived. The request may have been processed.';
      return { error: new TimeoutError(message, { code: 'timeout', idempotencyKey }), isRetryable: false };
    }
    const message = `The connection to ${baseUrl} failed: ${reasonOf(error)}`.replaceAll(apiKey, '[API key]');
    return {
      error: new ConnectionError(message, { code: 'connection-failed', idempotencyKey }),
      isRetryable: true,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function evaluate(
  response: Response,
  call: Call,
  { apiKey, idempotencyKey }: { apiKey: string; idempotencyKey: string | undefined },
): Promise<Attempt> {
  const { headers, status, ok } = response;
  const text = await readText(response);
  // A server that reflects the request must not bring the key into an error.
  const body = parseJson(headers, ok ? text : text?.replaceAll(apiKey, '[API key]'));
  if (ok && call.isExpected(body)) return { body };
  const problem = ok ? undefined : asProblem(body);
  const error = responseError(status, problem, {
    idempotencyKey,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMs(headers),
  });
  return { error, isRetryable: status >= 400 && shouldRetry(status, headers, problem) };
}

/** The parsed body; undefined if it is not JSON. */
function parseJson(headers: Headers, text: string | undefined): unknown {
  if (text === undefined || !JSON_TYPE.test(headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of the errors of fetch, the cause says what happened, as `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
