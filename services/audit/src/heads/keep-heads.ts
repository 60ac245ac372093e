import { HOUR_MS } from '@tollgate/contracts/durations';
import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { RecordStore } from '../records/record-store.ts';
import type { HeadStore } from './head-store.ts';
import type { LogStore } from './log-store.ts';
import { type HeadMaker, LogDamaged, makeHead } from './make-head.ts';

/** Half of the minute within which a record must be under a head. */
export const HEAD_INTERVAL_MS = 30_000;
/** A log in which nothing happens is signed so often, so that it can be told from one that is held back. */
export const QUIET_HEAD_INTERVAL_MS = HOUR_MS;

export interface HeadKeeper {
  records: Pick<RecordStore, 'findLast'>;
  heads: Pick<HeadStore, 'findLast'>;
  logs: Pick<LogStore, 'listTeamsOfAll'>;
  maker: HeadMaker;
  onRefused: () => void;
  clock: Clock;
  logger: Logger;
}

/** Signs what is not under a head yet, of every team. Every instance does this; of a number, one head is stored. */
export async function keepHeads(keeper: HeadKeeper): Promise<void> {
  for (const teamId of await keeper.logs.listTeamsOfAll()) {
    try {
      await keepHeadOf(keeper, teamId);
    } catch (err) {
      // The logs of others are signed all the same.
      if (err instanceof LogDamaged) keeper.onRefused();
      keeper.logger.error({ err, team_id: teamId }, 'failed to sign an audit tree head');
    }
  }
}

async function keepHeadOf({ records, heads, maker, clock }: HeadKeeper, teamId: string): Promise<void> {
  const [record, head] = await Promise.all([records.findLast(teamId), heads.findLast(teamId)]);
  const isNew = (record?.seq ?? 0) > (head?.size ?? 0);
  const isQuietForLong = head !== null && clock.now() - Date.parse(head.at) >= QUIET_HEAD_INTERVAL_MS;
  if (isNew || isQuietForLong) await makeHead(maker, teamId, { isForced: isQuietForLong });
}
