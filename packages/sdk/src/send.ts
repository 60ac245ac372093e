import type { Clock } from './clock.ts';
import { ConnectionError, TimeoutError, type TollgateError, UnexpectedResponseError } from './errors.ts';
import { isProgrammingError } from './programming-error.ts';
import { isReadable, readText } from './read-text.ts';
import { checkOptions, type WriteOptions } from './request-options.ts';
import { asProblem, responseError } from './response-error.ts';
import { nextWaitMs, retryAfterMs, shouldRetry } from './retry.ts';

/** What all calls of a client have in common. */
interface Connection {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  clock: Clock;
}

/** One call of the API. */
export interface Call {
  path: string;
  /** JSON, which a POST sends; null for a GET. */
  body: string | null;
  options: WriteOptions;
  /** Whether a parsed successful response is what this call returns. */
  isExpected(body: unknown): boolean;
}

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
  checkOptions(call.options);
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

/**
 * What all attempts send: they share the idempotency key. States every option that a framework replaces: Next.js caches
 * a GET that does not say `no-store`. The credentials are left to the runtime, because Workers reject them.
 */
function buildRequest({ apiKey, baseUrl }: Connection, { path, body, options }: Call): PreparedRequest {
  const headers = { accept: 'application/json', authorization: `Bearer ${apiKey}` };
  // A redirect would send the API key to another address. Workers reject `error`, which also hides the status.
  const init = { headers, cache: 'no-store', redirect: 'manual' } as const;
  const url = baseUrl + path;
  if (body === null) return { url, init: { ...init, method: 'GET' } };
  const { idempotencyKey = crypto.randomUUID() } = options;
  const postHeaders = { ...headers, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return { url, idempotencyKey, init: { ...init, method: 'POST', headers: postHeaders, body } };
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
  const timer = setTimeout(onDeadline, deadlineMs - clock.nowMs());
  signal?.addEventListener('abort', stop, { once: true });
  let response: Response;
  let text: string | undefined;
  try {
    // Called without a receiver: the fetch of browsers and Workers rejects any other than the global object.
    const { fetch } = connection;
    response = await fetch(url, { ...init, signal: controller.signal });
    if (!isReadable(response)) return { error: unreadable(idempotencyKey), isRetryable: false };
    text = await readText(response);
  } catch (error) {
    signal?.throwIfAborted();
    if (isTimedOut) {
      const message =
        'The deadline passed before a complete response arrived. The request may have been processed.';
      return { error: new TimeoutError(message, { code: 'timeout', idempotencyKey }), isRetryable: false };
    }
    if (isProgrammingError(error)) throw error;
    const message = `The connection to ${baseUrl} failed: ${reasonOf(error)}`.replaceAll(apiKey, '[API key]');
    return {
      error: new ConnectionError(message, { code: 'connection-failed', idempotencyKey }),
      isRetryable: true,
    };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
  // Outside the try: an error of this code is not one of the connection.
  return evaluate(response, text, call, { apiKey, idempotencyKey });
}

function unreadable(idempotencyKey: string | undefined): TollgateError {
  const message =
    'fetch did not return a Response with a status, headers, and a text() that is not read yet. The request may have been processed.';
  return new UnexpectedResponseError(message, { code: 'unexpected-response', idempotencyKey });
}

function evaluate(
  { headers, status }: Response,
  text: string | undefined,
  call: Call,
  { apiKey, idempotencyKey }: { apiKey: string; idempotencyKey: string | undefined },
): Attempt {
  const isSuccess = status >= 200 && status < 300;
  // A server that reflects the request must not bring the key into an error.
  const body = parseJson(headers, isSuccess ? text : text?.replaceAll(apiKey, '[API key]'));
  if (isSuccess && call.isExpected(body)) return { body };
  const problem = isSuccess ? undefined : asProblem(body);
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
  const { cause, message } = Object(error) as {
    cause?: { code?: string; message?: string };
    message?: string;
  };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
