import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { isConnected } from '@tollgate/store/mongodb';
import type { Connection } from 'mongoose';
import { DUE_INDEX, EARLIEST, type StoredDelivery } from '../deliveries/delivery.ts';
import type { Backlog } from '../webhook-metrics.ts';
import { measureSparingly } from './measure-sparingly.ts';

/** Below the timeout of a scrape, and enough to count millions of index entries. */
const COUNT_TIMEOUT_MS = 5_000;

/** Measures the due deliveries of all teams. Returns NaN without MongoDB, so that a scrape still returns the other metrics. */
export function createDueBacklog(
  connection: Connection,
  { clock, logger }: { clock: Clock; logger: Logger },
): Pick<Backlog, 'countDue' | 'oldestDueAgeS'> {
  const collection = connection.collection<StoredDelivery>('deliveries');
  const due = () => ({ next_attempt_at: { $gt: EARLIEST, $lte: new Date(clock.now()) } });

  async function orNaN(measure: () => Promise<number>): Promise<number> {
    if (!isConnected(connection)) return Number.NaN;
    try {
      return await measure();
    } catch (error) {
      logger.warn({ err: error }, 'measuring the queue of due deliveries failed');
      return Number.NaN;
    }
  }

  /** Not `countDocuments`, an aggregation, which takes several times as long for the same index entries. */
  async function count(): Promise<number> {
    const reply = await connection.db?.command({
      count: collection.collectionName,
      query: due(),
      hint: DUE_INDEX,
      maxTimeMS: COUNT_TIMEOUT_MS,
    });
    return reply?.['n'] ?? Number.NaN;
  }

  async function oldestAgeS(): Promise<number> {
    const oldest = await collection.findOne(due(), {
      projection: { next_attempt_at: 1 },
      sort: { next_attempt_at: 1 },
      hint: DUE_INDEX,
    });
    return oldest?.next_attempt_at ? (clock.now() - oldest.next_attempt_at.getTime()) / 1000 : 0;
  }

  return {
    countDue: measureSparingly(
      () => orNaN(count),
      // Not the injected clock: the duration of a count is real time.
      () => performance.now(),
    ),
    oldestDueAgeS: () => orNaN(oldestAgeS),
  };
}
