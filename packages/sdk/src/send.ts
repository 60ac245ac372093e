import type { AttemptInfo } from './attempt-info.ts';
import type { Clock } from './clock.ts';
import {
  AbortError,
  ConnectionError,
  TimeoutError,
  type TollgateError,
  UnexpectedResponseError,
} from './errors.ts';
import { isProgrammingError } from './programming-error.ts';
import { isReadable, readText } from './read-text.ts';
import { type CreateOptions, checkOptions } from './request-options.ts';
import { type WithResponse, withResponse } from './response.ts';
import { asProblem, responseError } from './response-error.ts';
import { nextWaitMs, retryAfterMs, shouldRetry } from './retry.ts';
import { USER_AGENT } from './user-agent.ts';

/** What all calls of a client have in common. */
interface Connection {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  attemptTimeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  onAttempt: ((attempt: AttemptInfo) => unknown) | undefined;
  clock: Clock;
}

/** One call of the API. */
export interface Call {
  path: string;
  /** JSON, which a POST sends; null for a GET. */
  body: string | null;
  options: CreateOptions;
  /** Whether a parsed successful response is what this call returns. */
  isExpected(body: unknown): boolean;
}

/** Value of `Prefer`: the longest that the API waits for the reply of a processor. */
const LONGEST_WAIT = 'wait=10';

const JSON_TYPE = /^application\/(problem\+)?json *(;|$)/i;

interface PreparedRequest {
  url: string;
  init: RequestInit & { method: AttemptInfo['method'] };
  idempotencyKey?: string;
}

/** The end of one attempt: a result, or an error and whether another attempt may succeed. */
type Attempt = { result: WithResponse<object> } | { error: TollgateError; isRetryable: boolean };

/** Sends a request until it succeeds, may not be repeated, or the deadline is too close for another attempt. */
export async function send(connection: Connection, call: Call): Promise<unknown> {
  checkOptions(call.options);
  const { clock, maxRetries } = connection;
  const { signal, timeoutMs = connection.timeoutMs } = call.options;
  const request = buildRequest(connection, call);
  const deadlineMs = clock.nowMs() + timeoutMs;
  for (let number = 1; ; number += 1) {
    if (signal?.aborted) throw abortError(signal, request.idempotencyKey);
    const startedAtMs = clock.nowMs();
    const attempt = await attemptOnce(connection, call, request, deadlineMs - startedAtMs);
    const endedAtMs = clock.nowMs();
    const waitMs =
      number > maxRetries ? undefined : waitAfter(attempt, number, clock, deadlineMs - endedAtMs);
    report(connection, {
      method: request.init.method,
      path: call.path,
      attempt: number,
      durationMs: endedAtMs - startedAtMs,
      ...outcomeOf(attempt),
      idempotencyKey: request.idempotencyKey,
      retryInMs: waitMs,
    });
    if ('result' in attempt) return attempt.result;
    if (waitMs === undefined) throw attempt.error;
    await clock.sleep(waitMs, signal);
  }
}

/** Milliseconds until the next attempt; undefined if there must be none. */
function waitAfter(attempt: Attempt, number: number, clock: Clock, remainingMs: number): number | undefined {
  if ('result' in attempt || !attempt.isRetryable) return undefined;
  const waitMs = nextWaitMs(number, attempt.error.retryAfterMs, clock.random);
  // An error that says what is wrong helps more than a timeout later.
  return waitMs === undefined || waitMs >= remainingMs ? undefined : waitMs;
}

function outcomeOf(attempt: Attempt): Pick<AttemptInfo, 'status' | 'requestId' | 'error'> {
  const error = 'error' in attempt ? attempt.error : undefined;
  const { status, requestId } = 'error' in attempt ? attempt.error : attempt.result.lastResponse;
  return { status, requestId, error };
}

/** A failure to log, at once or later, must not hide the outcome of a call that moves money. */
function report({ onAttempt }: Connection, info: AttemptInfo): void {
  (async () => onAttempt?.(info))().catch(() => {});
}

/**
 * What all attempts send: they share the idempotency key. States every option that a framework replaces: Next.js caches
 * a GET that does not say `no-store`. The credentials are left to the runtime, because Workers reject them.
 */
function buildRequest({ apiKey, baseUrl }: Connection, { path, body, options }: Call): PreparedRequest {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${apiKey}`,
    'user-agent': USER_AGENT,
  };
  // A redirect would send the API key to another address. Workers reject `error`, which also hides the status.
  const init = { headers, cache: 'no-store', redirect: 'manual' } as const;
  const url = baseUrl + path;
  if (body === null) return { url, init: { ...init, method: 'GET' } };
  const { idempotencyKey = crypto.randomUUID(), waitForAction = false } = options;
  const postHeaders = {
    ...headers,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
    ...(waitForAction && { prefer: LONGEST_WAIT }),
  };
  return { url, idempotencyKey, init: { ...init, method: 'POST', headers: postHeaders, body } };
}

async function attemptOnce(
  connection: Connection,
  call: Call,
  { url, init, idempotencyKey }: PreparedRequest,
  remainingMs: number,
): Promise<Attempt> {
  const { apiKey, baseUrl } = connection;
  const { signal, attemptTimeoutMs = connection.attemptTimeoutMs } = call.options;
  const limitMs = Math.max(0, Math.min(attemptTimeoutMs, remainingMs));
  const controller = new AbortController();
  let isTimedOut = false;
  const stop = () => controller.abort(signal?.reason);
  const timer = setTimeout(() => {
    isTimedOut = true;
    controller.abort();
  }, limitMs);
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
    if (signal?.aborted) return { error: abortError(signal, idempotencyKey), isRetryable: false };
    if (isTimedOut) {
      const message = `No complete response arrived within ${Math.round(limitMs)} ms. The request may have been processed.`;
      return {
        error: new TimeoutError(message, { code: 'timeout', idempotencyKey }),
        // A timer can be early: at the deadline, the clock must not allow another attempt.
        isRetryable: limitMs < remainingMs,
      };
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

function abortError({ reason }: AbortSignal, idempotencyKey: string | undefined): TollgateError {
  const message = 'The signal aborted the call. A request that was sent may have been processed.';
  return new AbortError(message, { code: 'aborted', idempotencyKey, cause: reason });
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
  const requestId = headers.get('x-request-id') ?? undefined;
  // A server that reflects the request must not put the key into an error.
  const body = parseJson(headers, isSuccess ? text : text?.replaceAll(apiKey, '[API key]'));
  if (isSuccess && call.isExpected(body)) {
    const idempotentReplayed = headers.get('idempotent-replayed') === 'true';
    const lastResponse = { status, requestId, idempotencyKey, idempotentReplayed };
    return { result: withResponse(body as object, lastResponse) };
  }
  const problem = isSuccess ? undefined : asProblem(body);
  const error = responseError(status, problem, {
    idempotencyKey,
    requestId,
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

/** Why fetch failed. The cause of its error says what happened, such as `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const { cause, message } = Object(error) as {
    cause?: { code?: string; message?: string };
    message?: string;
  };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
