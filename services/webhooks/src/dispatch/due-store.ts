import { randomUUID } from 'node:crypto';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhook';
import { inBatches } from '@tollgate/store/in-batches';
import type { Connection, mongo } from 'mongoose';
import { toAttemptDocument } from '../deliveries/attempt-document.ts';
import { type Attempt, claimedUntil, type Delivery } from '../deliveries/delivery.ts';
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
/** Claims, or records, that one write carries. */
const MAX_BATCH = 100;
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
  /** Those of this endpoint that are due for longest, not claimed, at most `limit`. */
  findDue(endpointId: string, now: Date, limit: number): Promise<Delivery[]>;
  /** Claims it with a new fence; it is due again at `leaseUntil`. Null when it was claimed or decided anew since it was read. */
  claim(due: Delivery, at: { now: Date; leaseUntil: Date }): Promise<Delivery | null>;
  /** Records an attempt under the fence of the claim; false when the delivery was claimed or decided anew since. */
  finish(claimed: Delivery, attempt: Attempt, outcome: AttemptOutcome): Promise<boolean>;
}

type AttemptOutcome = Pick<Delivery, 'status' | 'roundFailures' | 'nextAttemptAt'>;

type Write = mongo.AnyBulkWriteOperation<DeliveryDocument>;

interface Claim {
  due: Delivery;
  now: Date;
  leaseUntil: Date;
  /** Tells this claim from any other that would lead to the same fence. */
  id: string;
}

interface Finish {
  claimed: Delivery;
  attempt: Attempt;
  outcome: AttemptOutcome;
}

/** Claims and records are single to the caller, and written together with whatever others are on at the same time. */
export function createDueStore(connection: Connection): DueStore {
  const model = connection.model<DeliveryDocument>('Delivery', deliverySchema);
  // Not by the model: casting what is right already costs as much as sending it.
  const collection = connection.collection<DeliveryDocument>('deliveries');

  // A bulk write says how many it matched, and not which: where it missed one, the ids of claims and attempts tell what was written.

  async function claimAll(claims: Claim[]): Promise<(Delivery | null)[]> {
    const { matchedCount } = await collection.bulkWrite(claims.map(claimOperation), { ordered: false });
    const claimIds = matchedCount === claims.length ? null : await findClaimIds(claims);
    return claims.map(({ due, leaseUntil, id }) =>
      claimIds === null || claimIds.has(id) ? claimedUntil(due, leaseUntil) : null,
    );
  }

  async function findClaimIds(claims: Claim[]): Promise<Set<string | null>> {
    const documents = await collection
      .find({ _id: { $in: claims.map(({ due }) => due.id) } }, { projection: { claim_id: 1 } })
      .toArray();
    return new Set(documents.map(({ claim_id: claimId }) => claimId));
  }

  async function finishAll(finishes: Finish[]): Promise<boolean[]> {
    const { matchedCount } = await collection.bulkWrite(finishes.map(finishOperation), { ordered: false });
    const attemptIds = matchedCount === finishes.length ? null : await findAttemptIds(finishes);
    return finishes.map(({ attempt }) => attemptIds === null || attemptIds.has(attempt.id));
  }

  async function findAttemptIds(finishes: Finish[]): Promise<Set<string>> {
    const documents = await collection
      .find({ _id: { $in: finishes.map(({ claimed }) => claimed.id) } }, { projection: { 'attempts.id': 1 } })
      .toArray();
    return new Set(documents.flatMap(({ attempts }) => attempts.map(({ id }) => id)));
  }

  const claimInBatches = inBatches(claimAll, MAX_BATCH);
  const finishInBatches = inBatches(finishAll, MAX_BATCH);

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

    async findDue(endpointId, now, limit) {
      const documents = await model
        .find({ endpoint_id: endpointId, next_attempt_at: { $gt: EARLIEST, $lte: now } }, WITHOUT_LOG)
        .sort({ next_attempt_at: 1 })
        .hint(DUE_OF_ENDPOINT_INDEX)
        .limit(limit)
        .lean();
      return documents.map(toDelivery);
    },

    claim: (due, at) => claimInBatches({ due, ...at, id: randomUUID() }),
    finish: (claimed, attempt, outcome) => finishInBatches({ claimed, attempt, outcome }),
  };
}

/** The fence is as it was read: nobody has claimed it or decided on it since. */
function claimOperation({ due, now, leaseUntil, id }: Claim): Write {
  return {
    updateOne: {
      filter: {
        _id: due.id,
        team_id: due.teamId,
        fence: due.fence,
        next_attempt_at: { $gt: EARLIEST, $lte: now },
      },
      update: { $set: { next_attempt_at: leaseUntil, claim_id: id }, $inc: { fence: 1 } },
    },
  };
}

/** By the count of attempts a repetition does not record it twice. */
function finishOperation({ claimed, attempt, outcome }: Finish): Write {
  return {
    updateOne: {
      filter: {
        _id: claimed.id,
        team_id: claimed.teamId,
        fence: claimed.fence,
        // Skipped while it was under way: what came of it counts, unless it would have to be tried again.
        status: outcome.status === 'pending' ? 'pending' : { $in: ['pending', 'skipped'] },
        attempt_count: claimed.attemptCount,
      },
      update: {
        $set: {
          status: outcome.status,
          round_failures: outcome.roundFailures,
          next_attempt_at: outcome.nextAttemptAt,
          attempt_count: attempt.number,
          last_attempt_at: attempt.at,
          response_status: attempt.response?.status ?? null,
        },
        $push: { attempts: { $each: [toAttemptDocument(attempt)], $slice: -WEBHOOK_LIMITS.storedAttempts } },
      },
    },
  };
}
