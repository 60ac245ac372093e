import { HEADERS } from '@tollgate/contracts/headers';
import type { UsageOutcome } from '@tollgate/contracts/usage';

/** What a response of payments says about its effect, besides the status. */
export interface Effect {
  /** Time at which this request changed the payment; null if it changed nothing. */
  changedAt: Date | null;
}

export function effectOf(headers: Record<string, unknown>): Effect {
  const changedAt = headers[HEADERS.changedAt];
  const date = typeof changedAt === 'string' ? new Date(changedAt) : null;
  return { changedAt: date && !Number.isNaN(date.getTime()) ? date : null };
}

/** The one outcome class of a request with a response. `isChange`: its operation changes a payment if it succeeds. */
export function outcomeOf(status: number, isChange: boolean, effect: Effect | null): UsageOutcome {
  if (status >= 500) return 'server_error';
  if (status === 429) return 'rate_limited';
  if (status >= 400) return 'client_error';
  return isChange && effect?.changedAt == null ? 'replayed' : 'succeeded';
}
