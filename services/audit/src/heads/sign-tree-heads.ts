import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Context } from '../context.ts';
import { createHead, LogCorrupted } from './create-head.ts';

/** Half of the minute within which a signed tree head must cover a record. */
export const HEAD_INTERVAL_MS = 30_000;
/** A log without activity is signed at this interval, which distinguishes it from a log that is withheld. */
const QUIET_HEAD_INTERVAL_MS = HOUR_MS;

/**
 * Signs a tree head for every team with uncovered records. Every instance does this; only one head per number is
 * stored.
 */
export async function signTreeHeads(context: Context): Promise<void> {
  const { logs, metrics, logger } = context;
  for (const teamId of await logs.listTeamsOfAll()) {
    try {
      await signHeadIfDue(context, teamId);
    } catch (err) {
      // The logs of other teams are still signed.
      if (err instanceof LogCorrupted) metrics.rejectedHeads.inc();
      logger.error({ err, team_id: teamId }, 'failed to sign an audit tree head');
    }
  }
}

async function signHeadIfDue(context: Context, teamId: string): Promise<void> {
  const { records, heads, clock } = context;
  const [record, head] = await Promise.all([records.findLast(teamId), heads.findLast(teamId)]);
  const isNew = (record?.seq ?? 0) > (head?.size ?? 0);
  const isOld = (newest: AuditHead | null) =>
    newest !== null && clock.now() - Date.parse(newest.at) >= QUIET_HEAD_INTERVAL_MS;
  if (isNew || isOld(head)) await createHead(context, teamId, isOld);
}
