import { HOUR_MS } from '@tollgate/contracts/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { RecordStore } from '../records/record-store.ts';
import type { HeadStore } from './head-store.ts';
import type { LogStore } from './log-store.ts';
import { createHead, type HeadMaker, LogDamaged } from './make-head.ts';

/** Half of the minute within which a signed tree head must cover a record. */
export const HEAD_INTERVAL_MS = 30_000;
/** A log without activity is signed at this interval, which distinguishes it from a log that is withheld. */
const QUIET_HEAD_INTERVAL_MS = HOUR_MS;

export interface HeadKeeper {
  records: Pick<RecordStore, 'findLast'>;
  heads: Pick<HeadStore, 'findLast'>;
  logs: Pick<LogStore, 'listTeamsOfAll'>;
  maker: HeadMaker;
  onRefused: () => void;
  clock: Clock;
  logger: Logger;
}

/**
 * Signs a tree head for every team with uncovered records. Every instance does this; only one head per number is
 * stored.
 */
export async function signTreeHeads(keeper: HeadKeeper): Promise<void> {
  for (const teamId of await keeper.logs.listTeamsOfAll()) {
    try {
      await keepHeadOf(keeper, teamId);
    } catch (err) {
      // The logs of other teams are still signed.
      if (err instanceof LogDamaged) keeper.onRefused();
      keeper.logger.error({ err, team_id: teamId }, 'failed to sign an audit tree head');
    }
  }
}

async function keepHeadOf({ records, heads, maker, clock }: HeadKeeper, teamId: string): Promise<void> {
  const [record, head] = await Promise.all([records.findLast(teamId), heads.findLast(teamId)]);
  const isNew = (record?.seq ?? 0) > (head?.size ?? 0);
  const isQuietForLong = head !== null && clock.now() - Date.parse(head.at) >= QUIET_HEAD_INTERVAL_MS;
  if (isNew || isQuietForLong) await createHead(maker, teamId, { isForced: isQuietForLong });
}
