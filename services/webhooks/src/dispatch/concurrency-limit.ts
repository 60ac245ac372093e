import type { Attempt } from '../deliveries/delivery.ts';

/** The limit after the first attempt: what a small receiver can handle. A slow endpoint gets no more. */
export const BASE_CONCURRENCY = 5;
const DECREASE_FACTOR = 0.5;
/** A response is late when it takes longer than this many times the typical duration. */
const LATE_FACTOR = 2;
/** A faster response is never late: at this scale, the network and this process cause the differences. */
const MIN_LATE_MS = 100;
/** The weight of a new duration in the typical one, as for round-trip times in TCP (RFC 6298 §2). */
const DURATION_WEIGHT = 1 / 8;

/** How many attempts to an endpoint may be in flight. */
export interface ConcurrencyLimit {
  /** From 1 to the configured maximum. Not an integer, because each attempt changes it by a fraction. */
  limit: number;
  /** Typical duration of a successful attempt under a low load; null before the first. */
  typicalMs: number | null;
  /** When it was last halved. */
  halvedAt: number;
}

/** What an attempt says about the load of the endpoint. A `none` attempt says nothing: for example, a 404, or a URL that was rejected. */
export type LoadSignal = 'succeeded' | 'overloaded' | 'none';

export interface EndedAttempt {
  signal: LoadSignal;
  startedAt: number;
  endedAt: number;
  durationMs: number;
  /** Attempts to the endpoint that were in flight when it ended, including itself. */
  inFlight: number;
}

export function initialLimit(max: number): ConcurrencyLimit {
  return { limit: Math.min(BASE_CONCURRENCY, max), typicalMs: null, halvedAt: Number.NEGATIVE_INFINITY };
}

export function loadSignal({ error, response }: Pick<Attempt, 'error' | 'response'>): LoadSignal {
  if (error === null) return 'succeeded';
  if (['timeout', 'connection', 'dns', 'tls'].includes(error.code)) return 'overloaded';
  return response !== null && (response.status === 429 || response.status >= 500) ? 'overloaded' : 'none';
}

/**
 * Additive increase, multiplicative decrease, as TCP adapts to a network: as many successes as the limit raise it by one, late
 * ones lower it by one, and a failure halves it.
 */
export function nextLimit(before: ConcurrencyLimit, attempt: EndedAttempt, max: number): ConcurrencyLimit {
  const { signal, startedAt, endedAt, durationMs, inFlight } = attempt;
  // Attempts that were in flight at a decrease fail together. They say nothing about the decreased limit.
  if (signal === 'none' || startedAt < before.halvedAt) return before;
  const { limit } = before;
  if (signal === 'overloaded')
    return { ...before, limit: Math.max(1, limit * DECREASE_FACTOR), halvedAt: endedAt };

  const typicalMs = inFlight <= BASE_CONCURRENCY ? smoothed(before.typicalMs, durationMs) : before.typicalMs;
  if (isLate(durationMs, before.typicalMs)) {
    const lowest = Math.min(limit, BASE_CONCURRENCY);
    return { ...before, typicalMs, limit: Math.max(lowest, limit - 1 / limit) };
  }
  // A limit that was not reached was not tested either.
  const isReached = inFlight >= Math.floor(limit);
  return { ...before, typicalMs, limit: isReached ? Math.min(max, limit + 1 / limit) : limit };
}

function isLate(durationMs: number, typicalMs: number | null): boolean {
  return typicalMs !== null && durationMs > Math.max(LATE_FACTOR * typicalMs, MIN_LATE_MS);
}

function smoothed(typicalMs: number | null, durationMs: number): number {
  return typicalMs === null ? durationMs : typicalMs + DURATION_WEIGHT * (durationMs - typicalMs);
}
