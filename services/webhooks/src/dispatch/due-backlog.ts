import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import { isConnected } from '@tollgate/store/mongodb';
import type { Connection } from 'mongoose';
import {
  type DeliveryDocument,
  DUE_INDEX,
  deliverySchema,
  EARLIEST,
} from '../deliveries/delivery-document.ts';
import type { Backlog } from '../webhook-metrics.ts';

/** Limits the cost of a scrape when the queue is long. */
const MAX_COUNTED = 1_000;

/** Measures the due deliveries of all teams. Returns NaN without MongoDB, so that a scrape still returns the other metrics. */
export function createDueBacklog(
  connection: Connection,
  { clock, logger }: { clock: Clock; logger: Logger },
): Pick<Backlog, 'countDue' | 'oldestDueAgeS'> {
  const model = connection.model<DeliveryDocument>('Delivery', deliverySchema);
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

  return {
    countDue: () => orNaN(() => model.countDocuments(due()).hint(DUE_INDEX).limit(MAX_COUNTED)),

    oldestDueAgeS: () =>
      orNaN(async () => {
        const oldest = await model
          .findOne(due(), { next_attempt_at: 1 })
          .sort({ next_attempt_at: 1 })
          .hint(DUE_INDEX)
          .lean();
        return oldest?.next_attempt_at ? (clock.now() - oldest.next_attempt_at.getTime()) / 1000 : 0;
      }),
  };
}
