/**
 * Port: the due deliveries of all teams, in MongoDB. A delivery is due at `next_attempt_at`; a claim moves this time to the end of the
 * claim, so that the delivery of a dead instance is due again by itself.
 *
 * `claim`    under a new fence, for 30 s. Fails when the delivery has another fence than when it was read: another claim, or a member's
 *            decision to cancel, skip, or resend it, came first.
 * `record`   the attempt and what follows: success, failure, or the time of the retry. Fails when the claim was lost meanwhile. A
 *            repeated record, as after a lost reply, changes nothing.
 * `release`  claims that will not be used, when the instance stops.
 * `findDue`, `findDueEndpoints`  read the queue: of one endpoint, and of all for the sweep.
 *
 * At least once: an attempt is recorded after its response. A process that dies between them leaves a claim that expires, and another
 * one repeats the attempt with the same bytes. Only the claim's own fence records, so two instances never overwrite each other.
 *
 * Cost: a claim and a record each. Calls of the same moment share one bulk write, whatever their endpoints. A new delivery to a fast
 * endpoint is stored as claimed by fan-out, which saves its claim.
 */
import { randomUUID } from 'node:crypto';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { inBatches } from '@tollgate/store/in-batches';
import type { Connection, mongo } from 'mongoose';
import {
  type Attempt,
  claimedUntil,
  type Delivery,
  type Destination,
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
  /** Endpoints, each once. */
  destinations: Destination[];
  /** Where the next page starts; empty when this page reached the end. */
  after: string;
}

const DESTINATION = { team_id: 1, application_id: 1, environment: 1, endpoint_id: 1 } as const;

type Write = mongo.AnyBulkWriteOperation<StoredDelivery>;

interface Claim {
  due: Delivery;
  now: Date;
  leaseUntil: Date;
  /** Distinguishes this claim from others that lead to the same fence. */
  id: string;
}

interface Recording {
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

  async function recordAll(records: Recording[]): Promise<boolean[]> {
    const deliveries = records.map(({ claimed }) => claimed);
    const written = await write(records.map(recordOperation), deliveries);
    return records.map(({ attempt }) => written === null || written.has(attempt.id));
  }

  const claimInBatches = inBatches(claimAll, MAX_BATCH);
  const recordInBatches = inBatches(recordAll, MAX_BATCH);

  async function seek(after: string) {
    return model
      .findOne(
        { endpoint_id: { $gt: after }, next_attempt_at: { $gt: EARLIEST } },
        { ...DESTINATION, next_attempt_at: 1 },
      )
      .sort(DUE_OF_ENDPOINT_INDEX)
      .hint(DUE_OF_ENDPOINT_INDEX)
      .lean();
  }

  return {
    /** Finds endpoints with due deliveries, each once. The long queue of one endpoint does not hide another. */
    async findDueEndpoints(now: Date, after: string): Promise<DuePage> {
      const due = await model
        .find({ next_attempt_at: { $gt: EARLIEST, $lte: now } }, DESTINATION)
        .sort({ next_attempt_at: 1 })
        .hint(DUE_INDEX)
        .limit(SCAN_LIMIT)
        .lean();
      if (due.length < SCAN_LIMIT) {
        const byId = new Map(due.map((destination) => [destination.endpoint_id, destination]));
        return { destinations: [...byId.values()], after: '' };
      }
      const destinations: Destination[] = [];
      let last = after;
      for (let seeks = 0; seeks < MAX_SEEKS; seeks += 1) {
        const first = await seek(last);
        if (!first) return { destinations, after: '' };
        last = first.endpoint_id;
        if (first.next_attempt_at && first.next_attempt_at <= now) destinations.push(first);
      }
      return { destinations, after: last };
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
    record: (claimed: Delivery, attempt: Attempt, outcome: Outcome): Promise<boolean> =>
      recordInBatches({ claimed, attempt, outcome }),

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
function recordOperation({ claimed, attempt, outcome }: Recording): Write {
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
