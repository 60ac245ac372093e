import { MAX_TEAMS_OF_RESETS } from '@tollgate/contracts/payments/rpc';
import type { Comparison } from './compare-days.ts';
import { dayOf } from './day-counts.ts';

/** Returns when these teams last requested a reset of their sandbox. */
export type LastResets = (teamIds: string[]) => Promise<{ team_id: string; requested_at: string }[]>;

/**
 * Leaves out the days of a sandbox up to the day of its last reset: payments has deleted what usage still counts. Days of live
 * always stay.
 */
export async function leaveOutResetDays(
  lastResets: LastResets,
  days: readonly Comparison[],
): Promise<{ days: Comparison[]; leftOut: number }> {
  const ofSandbox = days.filter(({ environment }) => environment === 'sandbox');
  const teamIds = [...new Set(ofSandbox.map(({ team_id }) => team_id))];
  const resetDays = new Map<string, string>();
  for (let start = 0; start < teamIds.length; start += MAX_TEAMS_OF_RESETS) {
    const resets = await lastResets(teamIds.slice(start, start + MAX_TEAMS_OF_RESETS));
    for (const { team_id, requested_at } of resets) resetDays.set(team_id, dayOf(requested_at));
  }
  const kept = days.filter(
    ({ environment, team_id, day }) => environment !== 'sandbox' || day > (resetDays.get(team_id) ?? ''),
  );
  return { days: kept, leftOut: days.length - kept.length };
}
