import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tollgate/contracts/platform/durations';
import { DISABLE_AFTER_DAYS } from '@tollgate/contracts/webhooks/retry-schedule';

/** The clock of the disable policy starts at the first failure that follows another one by at least this time. */
export const FAILING_SPAN_MS = 12 * HOUR_MS;
/** The endpoint is disabled when its clock has run for this time without a success. */
export const DISABLE_AFTER_MS = DISABLE_AFTER_DAYS * DAY_MS;
/** How long before that its team is warned. */
export const WARN_BEFORE_MS = DAY_MS;

/** The breaker opens after this number of failed connections in a row. */
export const BREAKER_THRESHOLD = 5;
const FIRST_PAUSE_MS = 30_000;
/** A longer pause would hold back deliveries from a receiver that has recovered. */
export const MAX_PAUSE_MS = 5 * MINUTE_MS;

/** An endpoint's failures; all `null` and 0 while it works. Times in ms since the epoch. */
export interface EndpointHealth {
  lastSuccessAt: number | null;
  /** First failure since the last success. */
  failingSince: number | null;
  /** When the clock of the disable policy began. */
  clockSince: number | null;
  warnedAt: number | null;
  connectionFailures: number;
  /** While the breaker is open: no delivery is attempted before then, and none loses an attempt for it. */
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

/** Why an endpoint must be disabled after an attempt. */
export interface DisableDecision {
  by: 'gone' | 'asked' | 'failing';
  reason: string;
}

export type AttemptOutcome = 'succeeded' | 'error-response' | 'no-connection';

export function afterSuccess(now: number): EndpointHealth {
  return { ...HEALTHY, lastSuccessAt: now };
}

/** The health after a failed attempt, and what must be done: warn the team (once), or disable the endpoint. */
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

/** When the endpoint is disabled unless a delivery succeeds before; null while the clock does not run. */
export function disablesAtOf({ clockSince }: Pick<EndpointHealth, 'clockSince'>): number | null {
  return clockSince === null ? null : clockSince + DISABLE_AFTER_MS;
}

/** Deliveries wait while the breaker is open. */
export function isPaused({ pausedUntil }: Pick<EndpointHealth, 'pausedUntil'>, now: number): boolean {
  return pausedUntil !== null && pausedUntil > now;
}

/** After a pause, one delivery probes the connection; the others wait for its outcome. */
export function isProbing({ connectionFailures }: Pick<EndpointHealth, 'connectionFailures'>): boolean {
  return connectionFailures >= BREAKER_THRESHOLD;
}

/**
 * Pauses double from one failed probe to the next. Attempts that were in flight when the breaker opened fail during the pause;
 * they must not lengthen it.
 */
function pausedUntil(before: EndpointHealth, connectionFailures: number, now: number): number | null {
  if (connectionFailures < BREAKER_THRESHOLD) return null;
  if (isPaused(before, now)) return before.pausedUntil;
  const doublings = Math.min(connectionFailures - BREAKER_THRESHOLD, 10);
  return now + Math.min(FIRST_PAUSE_MS * 2 ** doublings, MAX_PAUSE_MS);
}
