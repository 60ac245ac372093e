import type { Problem } from './problem.ts';

/** The first wait is at most this long; the limit doubles with every attempt. */
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** A server that asks for a longer wait is not asked again within the call: a job queue waits better. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Whether the same request may be repeated. The server knows best and says so in `X-Should-Retry` and `retryable`;
 * proxies in front of it say nothing, so that the status decides. Repeating is safe, because every POST has a key.
 */
export function shouldRetry(status: number, headers: Headers, problem: Problem | undefined): boolean {
  const advice = headers.get('x-should-retry') ?? String(problem?.retryable);
  if (advice === 'true') return true;
  if (advice === 'false') return false;
  return status === 408 || status === 429 || status >= 500;
}

/** The wait that `Retry-After` demands, in seconds or as an HTTP date; undefined without a valid one. */
export function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}

/**
 * Milliseconds to wait before the next attempt; undefined if the server asked for too long a wait. Full jitter spreads
 * clients that failed at the same time, also after a demanded wait.
 */
export function nextWaitMs(
  failedAttempts: number,
  demandedMs: number | undefined = 0,
  random: () => number,
): number | undefined {
  if (demandedMs > LONGEST_RETRY_AFTER_MS) return undefined;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failedAttempts - 1));
  return demandedMs + random() * backoffMs;
}
