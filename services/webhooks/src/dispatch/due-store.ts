import { randomUUID } from 'node:crypto';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { inBatches } from '@tollgate/store/in-batches';
import type { Connection, mongo } from 'mongoose';
import {
  type Attempt,
  claimedUntil,
  type Delivery,
  DUE_INDEX,
  DUE_OF_ENDPOINT_INDEX,
  deliverySchema,
  EARLIEST,
  type Outcome,
  type StoredDelivery,
  WITHOUT_LOG,
} from '../deliveries/delivery.ts';

/** Due deliveries that a sweep reads from the whole queue. A longer queue is read endpoint by endpoint. */
const SCAN_LIMIT = 200;
/** Endpoints that a sweep reads. The next sweep continues after them. */
const MAX_SEEKS = 200;
/** Claims or records per write. */
const MAX_BATCH = 500;

interface DuePage {
  endpointIds: string[];
  /** Where the next page starts; empty when this page reached the end. */
  after: string;
}

type Write = mongo.AnyBulkWriteOperation<StoredDelivery>;

interface Claim {
  due: Delivery;
  now: Date;
  leaseUntil: Date;
  /** Distinguishes this claim from others that lead to the same fence. */
  id: string;
}

interface Finish {
  claimed: Delivery;
  attempt: Attempt;
  outcome: Outcome;
}

export type DueStore = ReturnType<typeof createDueStore>;

/** The due deliveries of all teams. Concurrent claims, and concurrent records, share a write. */
export function createDueStore(connection: Connection) {
  const model = connection.model<StoredDelivery>('Delivery', deliverySchema);
  // Not through the model, whose casts cost as much as sending.
  const collection = connection.collection<StoredDelivery>('deliveries');

  /**
   * Writes, and resolves to the ids of the claims and attempts that these deliveries then have. Null if the write matched all: it
   * returns how many documents it matched, not which.
   */
  async function write(operations: Write[], deliveries: Delivery[]): Promise<Set<string | null> | null> {
    const { matchedCount } = await collection.bulkWrite(operations, { ordered: false });
    if (matchedCount === operations.length) return null;
    const ids = deliveries.map(({ _id }) => _id);
    const projection = { claim_id: 1, 'attempts.id': 1 };
    const found = await collection.find({ _id: { $in: ids } }, { projection }).toArray();
    return new Set(found.flatMap(({ claim_id, attempts }) => [claim_id, ...attempts.map(({ id }) => id)]));
  }

  async function claimAll(claims: Claim[]): Promise<(Delivery | null)[]> {
    const deliveries = claims.map(({ due }) => due);
    const written = await write(claims.map(claimOperation), deliveries);
    return claims.map(({ due, leaseUntil, id }) =>
      written === null || written.has(id) ? claimedUntil(due, leaseUntil) : null,
    );
  }

  async function finishAll(finishes: Finish[]): Promise<boolean[]> {
    const deliveries = finishes.map(({ claimed }) => claimed);
    const written = await write(finishes.map(finishOperation), deliveries);
    return finishes.map(({ attempt }) => written === null || written.has(attempt.id));
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
    /** Finds endpoints with due deliveries, each once. The long queue of one endpoint does not hide another. */
    async findDueEndpoints(now: Date, after: string): Promise<DuePage> {
      const due = await model
        .find({ next_attempt_at: { $gt: EARLIEST, $lte: now } }, { endpoint_id: 1 })
        .sort({ next_attempt_at: 1 })
        .hint(DUE_INDEX)
        .limit(SCAN_LIMIT)
        .lean();
      if (due.length < SCAN_LIMIT)
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

    /** Finds the deliveries of the endpoint that have been due longest, at most `limit`. */
    findDue: async (endpoint_id: string, now: Date, limit: number): Promise<Delivery[]> =>
      model
        .find({ endpoint_id, next_attempt_at: { $gt: EARLIEST, $lte: now } }, WITHOUT_LOG)
        .sort({ next_attempt_at: 1 })
        .hint(DUE_OF_ENDPOINT_INDEX)
        .limit(limit)
        .lean<Delivery[]>(),

    /** Claims the delivery under a new fence until `leaseUntil`. Null when its fence has changed since it was read. */
    claim: (due: Delivery, at: { now: Date; leaseUntil: Date }): Promise<Delivery | null> =>
      claimInBatches({ due, ...at, id: randomUUID() }),

    /** Records an attempt under the fence of the claim. False when the fence has changed. */
    finish: (claimed: Delivery, attempt: Attempt, outcome: Outcome): Promise<boolean> =>
      finishInBatches({ claimed, attempt, outcome }),

    /** Makes claimed deliveries that were not attempted due now, so that another instance need not wait for the claims to expire. */
    async release(claimed: Delivery[], now: Date): Promise<void> {
      if (claimed.length === 0) return;
      const operations = claimed.map((delivery) => releaseOperation(delivery, now));
      await collection.bulkWrite(operations, { ordered: false });
    },
  };
}

/** Matches only the fence that was read: no claim or member's decision came between. */
function claimOperation({ due, now, leaseUntil, id }: Claim): Write {
  return {
    updateOne: {
      filter: {
        _id: due._id,
        team_id: due.team_id,
        fence: due.fence,
        next_attempt_at: { $gt: EARLIEST, $lte: now },
      },
      update: { $set: { next_attempt_at: leaseUntil, claim_id: id }, $inc: { fence: 1 } },
    },
  };
}

/** Under the fence of the claim: a member may have canceled the delivery, or sent it again. */
function releaseOperation({ _id, team_id, fence }: Delivery, now: Date): Write {
  return {
    updateOne: {
      filter: { _id, team_id, fence, next_attempt_at: { $gt: EARLIEST } },
      update: { $set: { next_attempt_at: now } },
    },
  };
}

/** The attempt count in the filter makes a repeated write harmless. */
function finishOperation({ claimed, attempt, outcome }: Finish): Write {
  return {
    updateOne: {
      filter: {
        _id: claimed._id,
        team_id: claimed.team_id,
        fence: claimed.fence,
        // A delivery that was skipped during the attempt still gets a final result, but no retry.
        status: outcome.status === 'pending' ? 'pending' : { $in: ['pending', 'skipped'] },
        attempt_count: claimed.attempt_count,
      },
      update: {
        $set: {
          ...outcome,
          attempt_count: attempt.number,
          last_attempt_at: attempt.at,
          response_status: attempt.response?.status ?? null,
        },
        $push: { attempts: { $each: [attempt], $slice: -WEBHOOK_LIMITS.storedAttempts } },
      },
    },
  };
}
