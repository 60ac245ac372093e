import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/durations';

/** The disable clock starts with the first failure this long after the initial one. */
export const FAILING_SPAN_MS = 12 * HOUR_MS;
/** The endpoint is disabled when the clock has run this long without a success. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
/** The team is warned this long before. */
export const WARN_BEFORE_MS = DAY_MS;

/** Consecutive connection failures that open the breaker. */
export const BREAKER_THRESHOLD = 5;
const FIRST_PAUSE_MS = 30_000;
/** A longer pause would delay deliveries to a receiver that is back. */
export const MAX_PAUSE_MS = 5 * 60_000;

/** An endpoint's failures. Times are in ms since the epoch. */
export interface EndpointHealth {
  lastSuccessAt: number | null;
  /** First failure since the last success. */
  failingSince: number | null;
  /** When the disable clock started. */
  clockSince: number | null;
  warnedAt: number | null;
  connectionFailures: number;
  /** While the breaker is open, no delivery is attempted before this time, and none uses up an attempt. */
  pausedUntil: number | null;
}

export const HEALTHY: EndpointHealth = {
  lastSuccessAt: null,
  failingSince: null,
  clockSince: null,
  warnedAt: null,
  connectionFailures: 0,
  pausedUntil: null,
};

export type AttemptOutcome = 'succeeded' | 'answered-failure' | 'no-connection';

export function afterSuccess(now: number): EndpointHealth {
  return { ...HEALTHY, lastSuccessAt: now };
}

/** The health after a failed attempt, and the action to take: warn the team (once), or disable the endpoint. */
export function afterFailure(
  health: EndpointHealth,
  outcome: Exclude<AttemptOutcome, 'succeeded'>,
  now: number,
): { health: EndpointHealth; action: 'none' | 'warn' | 'disable' } {
  const failingSince = health.failingSince ?? now;
  const clockSince = health.clockSince ?? (now - failingSince >= FAILING_SPAN_MS ? now : null);
  const disablesAt = disablesAtOf({ clockSince });
  const isLate = disablesAt !== null && now >= disablesAt;
  const isWarned = health.warnedAt !== null;
  const isNear = disablesAt !== null && now >= disablesAt - WARN_BEFORE_MS;
  const connectionFailures = outcome === 'no-connection' ? health.connectionFailures + 1 : 0;
  return {
    health: {
      ...health,
      failingSince,
      clockSince,
      warnedAt: health.warnedAt ?? (isNear ? now : null),
      connectionFailures,
      pausedUntil: pausedUntil(health, connectionFailures, now),
    },
    action: isLate ? 'disable' : isNear && !isWarned ? 'warn' : 'none',
  };
}

/** When the endpoint is disabled without a success before; null while the clock is not running. */
export function disablesAtOf({ clockSince }: Pick<EndpointHealth, 'clockSince'>): number | null {
  return clockSince === null ? null : clockSince + DISABLE_AFTER_MS;
}

export function isPaused({ pausedUntil }: Pick<EndpointHealth, 'pausedUntil'>, now: number): boolean {
  return pausedUntil !== null && pausedUntil > now;
}

/** After a pause, one delivery probes the connection. The others wait for its result. */
export function isProbing({ connectionFailures }: Pick<EndpointHealth, 'connectionFailures'>): boolean {
  return connectionFailures >= BREAKER_THRESHOLD;
}

/**
 * Each failed probe doubles the pause. Attempts that were in flight when the breaker opened fail during the pause and must not
 * lengthen it.
 */
function pausedUntil(before: EndpointHealth, connectionFailures: number, now: number): number | null {
  if (connectionFailures < BREAKER_THRESHOLD) return null;
  if (isPaused(before, now)) return before.pausedUntil;
  const doublings = Math.min(connectionFailures - BREAKER_THRESHOLD, 10);
  return now + Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
}
