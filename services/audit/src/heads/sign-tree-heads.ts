import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { RecordStore } from '../records/record-store.ts';
import { createHead, type HeadSigner, LogCorrupted } from './create-head.ts';
import type { HeadStore } from './head-store.ts';
import type { LogStore } from './log-store.ts';

/** Half of the minute within which a signed tree head must cover a record. */
export const HEAD_INTERVAL_MS = 30_000;
/** A log without activity is signed at this interval, which distinguishes it from a log that is withheld. */
const QUIET_HEAD_INTERVAL_MS = HOUR_MS;

export interface SignTreeHeadsDeps {
  records: Pick<RecordStore, 'findLast'>;
  heads: Pick<HeadStore, 'findLast'>;
  logs: Pick<LogStore, 'listTeamsOfAll'>;
  signer: HeadSigner;
  onRejected: () => void;
  clock: Clock;
  logger: Logger;
}

/**
 * Signs a tree head for every team with uncovered records. Every instance does this; only one head per number is
 * stored.
 */
export async function signTreeHeads(deps: SignTreeHeadsDeps): Promise<void> {
  for (const teamId of await deps.logs.listTeamsOfAll()) {
    try {
      await signHeadIfDue(deps, teamId);
    } catch (err) {
      // The logs of other teams are still signed.
      if (err instanceof LogCorrupted) deps.onRejected();
      deps.logger.error({ err, team_id: teamId }, 'failed to sign an audit tree head');
    }
  }
}

async function signHeadIfDue(
  { records, heads, signer, clock }: SignTreeHeadsDeps,
  teamId: string,
): Promise<void> {
  const [record, head] = await Promise.all([records.findLast(teamId), heads.findLast(teamId)]);
  const isNew = (record?.seq ?? 0) > (head?.size ?? 0);
  const isOld = (newest: AuditHead | null) =>
    newest !== null && clock.now() - Date.parse(newest.at) >= QUIET_HEAD_INTERVAL_MS;
  if (isNew || isOld(head)) await createHead(signer, teamId, isOld);
}
