import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhook';
import type { Connection } from 'mongoose';
import type { Attempt, Delivery } from '../deliveries/delivery.ts';
import {
  type DeliveryDocument,
  DUE_INDEX,
  DUE_OF_ENDPOINT_INDEX,
  deliverySchema,
  EARLIEST,
  toDelivery,
} from '../deliveries/delivery-document.ts';

/** Due deliveries that one look at the whole queue shows; a longer queue is gone through endpoint by endpoint. */
const ONE_LOOK = 200;
/** Endpoints that one sweep asks about; the next one goes on behind them. */
const MAX_SEEKS = 200;
const WITHOUT_LOG = { attempts: 0, outbox: 0 } as const;

export interface DuePage {
  endpointIds: string[];
  /** Where the next look goes on; an empty text when this one saw everything. */
  after: string;
}

/** What is due, of every team. */
export interface DueStore {
  /** Endpoints that something is due for, each once: none hides behind the long queue of another. */
  findDueEndpoints(now: Date, after: string): Promise<DuePage>;
  /** The delivery of this endpoint that is due for longest, with a new fence, and due again at `leaseUntil`. Null when nothing is due. */
  claim(endpointId: string, at: { now: Date; leaseUntil: Date }): Promise<Delivery | null>;
  /** Records an attempt under the fence of the claim; false when the delivery was claimed or decided anew since. */
  finish(
    claimed: Delivery,
    attempt: Attempt,
    outcome: Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>,
  ): Promise<boolean>;
}

export function createDueStore(connection: Connection): DueStore {
  const model = connection.model<DeliveryDocument>('Delivery', deliverySchema);

  async function seek(after: string) {
    return model
      .findOne(
        { endpoint_id: { $gt: after }, next_attempt_at: { $gt: EARLIEST } },
        { endpoint_id: 1, next_attempt_at: 1 },
      )
      .sort(DUE_OF_ENDPOINT_INDEX)
      .hint(DUE_OF_ENDPOINT_INDEX)
      .lean();
  }

  return {
    async findDueEndpoints(now, after) {
      const due = await model
        .find({ next_attempt_at: { $gt: EARLIEST, $lte: now } }, { endpoint_id: 1 })
        .sort({ next_attempt_at: 1 })
        .hint(DUE_INDEX)
        .limit(ONE_LOOK)
        .lean();
      if (due.length < ONE_LOOK)
        return { endpointIds: [...new Set(due.map((row) => row.endpoint_id))], after: '' };

      const endpointIds: string[] = [];
      let last = after;
      for (let seeks = 0; seeks < MAX_SEEKS; seeks += 1) {
        const first = await seek(last);
        if (!first) return { endpointIds, after: '' };
        last = first.endpoint_id;
        if (first.next_attempt_at && first.next_attempt_at <= now) endpointIds.push(last);
      }
      return { endpointIds, after: last };
    },

    async claim(endpointId, { now, leaseUntil }) {
      const document = await model
        .findOneAndUpdate(
          { endpoint_id: endpointId, next_attempt_at: { $gt: EARLIEST, $lte: now } },
          { $set: { next_attempt_at: leaseUntil }, $inc: { fence: 1 } },
          {
            sort: { next_attempt_at: 1 },
            hint: DUE_OF_ENDPOINT_INDEX,
            returnDocument: 'after',
            projection: WITHOUT_LOG,
          },
        )
        .lean();
      return document && toDelivery(document);
    },

    async finish(claimed, attempt, outcome) {
      const result = await model.updateOne(
        { _id: claimed.id, team_id: claimed.teamId, fence: claimed.fence, status: 'pending' },
        {
          $set: {
            status: outcome.status,
            round_failures: outcome.roundFailures,
            next_attempt_at: outcome.nextAttemptAt,
            attempt_count: attempt.number,
            last_attempt_at: attempt.at,
            response_status: attempt.response?.status ?? null,
          },
          $push: { attempts: { $each: [attempt], $slice: -WEBHOOK_LIMITS.storedAttempts } },
        },
      );
      return result.matchedCount === 1;
    },
  };
}
