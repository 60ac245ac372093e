import type { Environment } from '@tollgate/contracts/environment';
import { ID_PATTERNS } from '@tollgate/contracts/ids';
import type { CancellationReason } from '@tollgate/contracts/payment';
import type { Principal } from '@tollgate/contracts/principal';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { type Connection, mongo, type QueryFilter, type UpdateQuery } from 'mongoose';
import {
  type BoundKey,
  type Cause,
  type Failure,
  type MemberDecision,
  newHistoryEntry,
  type PaymentDocument,
  TRANSITIONS,
  type TransitionType,
  VERSION_IN_STATUS,
  versionAfter,
} from '../lifecycle/payment.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { paymentSchema, UNPUBLISHED_INDEX } from './payment-schema.ts';

/**
 * The payments that a caller may see. Payments are sharded by application, so every filter of an application's request,
 * every write, and every unique index starts with it. Members query their team across applications: their reads,
 * `findOfTeam` and those in history/, start with `team_id` and go to every shard.
 */
export interface PaymentOwner {
  application_id: string;
  team_id: string;
  environment: Environment;
}

/** The fields that a transition writes beside status, version, time, and history. */
export interface Change {
  type: TransitionType;
  at: Date;
  cause: Cause;
  requestId: string | null;
  set?: {
    failure?: Failure;
    cancellation_reason?: CancellationReason | null;
    cancel_key?: BoundKey;
    'settlement.due_at'?: Date;
    'settlement.fence'?: number;
    'settlement.decision'?: MemberDecision;
  };
}

/** The position after which a listing by time of change continues. */
export interface ChangePosition {
  updatedAt: Date;
  paymentId: string;
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

/** The queries of the `payments` collection. The only others, for lists and sums, are in history/history-store.ts. */
export function createPaymentStore(connection: Connection, seals: HistorySeals) {
  const Model = connection.model<PaymentDocument>('Payment', paymentSchema, 'payments');
  const collection = connection.collection<PaymentDocument>('payments');

  return {
    /**
     * Creates missing indexes. Must complete before the service accepts requests: without them an idempotency key binds
     * nothing.
     */
    async ensureIndexes(): Promise<void> {
      await Model.createIndexes();
    },

    /** Returns the payment with its seal. Null when the create key is already bound. */
    async insert(payment: PaymentDocument): Promise<PaymentDocument | null> {
      const sealed = {
        ...payment,
        history: payment.history.map((entry) => ({ ...entry, seal: seals.sealOf(payment, entry) })),
      };
      try {
        // Bypasses mongoose's casting: newPayment built the document, and this is the platform's most frequent write.
        await collection.insertOne(sealed);
        return sealed;
      } catch (error) {
        if (isDuplicateOf(error, 'create_key.key')) return null;
        throw error;
      }
    },

    async find(owner: PaymentOwner, paymentId: string): Promise<PaymentDocument | null> {
      // Bypasses mongoose's casting as well: the filter holds validated strings, and this is the most frequent read.
      return collection.findOne({ ...owner, _id: paymentId });
    },

    /**
     * A member knows only a payment's id. A later change to the payment must name the application that this read
     * returned.
     */
    async findOfTeam(teamId: string, paymentId: string): Promise<PaymentDocument | null> {
      return collection.findOne({ team_id: teamId, _id: paymentId });
    },

    async findByCreateKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'create_key.key': key }).lean<PaymentDocument>();
    },

    async findByCancelKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'cancel_key.key': key }).lean<PaymentDocument>();
    },

    /**
     * The only way to change a status: one conditional update. Null when the payment is not in the status that the
     * transition starts from, when `guard` does not match, or when another payment has bound the cancel key.
     */
    async transition(
      owner: PaymentOwner,
      paymentId: string,
      change: Change,
      guard: QueryFilter<PaymentDocument> = {},
    ): Promise<PaymentDocument | null> {
      const { from, to } = TRANSITIONS[change.type];
      const sealedOwner = { ...owner, _id: paymentId };
      const entry = newHistoryEntry({
        type: change.type,
        version: versionAfter(change.type),
        occurredAt: change.at,
        cause: change.cause,
        requestId: change.requestId,
      });
      const { failure = null, cancellation_reason = null } = change.set ?? {};
      const seal = seals.sealTransition(sealedOwner, entry, { failure, cancellation_reason });
      const decision = change.set?.['settlement.decision'];
      const update: UpdateQuery<PaymentDocument> = {
        $set: {
          ...change.set,
          ...(decision && { 'settlement.decision_seal': seals.sealDecision(sealedOwner, decision) }),
          status: to,
          updated_at: change.at,
        },
        $inc: { version: 1 },
        $push: { history: { ...entry, seal } },
        // A payment in a final status is never due again.
        ...(to !== 'processing' && { $unset: { 'settlement.due_at': 1 } }),
      };
      try {
        return await Model.findOneAndUpdate(
          { ...owner, ...guard, _id: paymentId, status: from, version: VERSION_IN_STATUS[from] },
          update,
          { returnDocument: 'after' },
        ).lean<PaymentDocument>();
      } catch (error) {
        if (isDuplicateOf(error, 'cancel_key.key')) return null;
        throw error;
      }
    },

    /**
     * Changes how a payment in `processing` is settled, not the payment that callers see. Null when `guard` does not
     * match.
     */
    async updateSettlement(
      payment: PaymentDocument,
      set: { due_at: Date; fence?: number; decision?: MemberDecision },
    ): Promise<PaymentDocument | null> {
      const sealed = {
        ...set,
        ...(set.decision && { decision_seal: seals.sealDecision(payment, set.decision) }),
      };
      const fields = Object.entries(sealed).map(([name, value]) => [`settlement.${name}`, value]);
      return Model.findOneAndUpdate(
        { ...ownerOf(payment), ...claimGuard(payment), _id: payment._id, status: 'processing' },
        { $set: Object.fromEntries(fields) },
        { returnDocument: 'after' },
      ).lean<PaymentDocument>();
    },

    /** For background work over all applications: payments that are due for a worker. */
    findDue(now: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const due = { 'settlement.due_at': { $lte: now } };
      return batchesOf(collection.find(due, { sort: { 'settlement.due_at': 1 }, batchSize }), batchSize);
    },

    /** For background work over all applications: pending payments that were not settled in time. */
    findExpired(now: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const expired = { status: 'pending', expires_at: { $lte: now } } as const;
      return batchesOf(collection.find(expired, { sort: { expires_at: 1 }, batchSize }), batchSize);
    },

    /** For background work over all applications: payments changed before `changedBefore` with unpublished events. */
    findUnpublished(changedBefore: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const unpublished = { 'history.published_at': null, updated_at: { $lt: changedBefore } };
      return batchesOf(
        // The index of all changes also provides this order, but it contains every payment.
        collection.find(unpublished, { hint: UNPUBLISHED_INDEX, sort: { updated_at: 1 }, batchSize }),
        batchSize,
      );
    },

    /** Marks events as published: one write for many payments. */
    async markPublished(
      events: { applicationId: string; paymentId: string; version: number }[],
      publishedAt: Date,
    ): Promise<void> {
      await collection.bulkWrite(
        events.map(({ applicationId, paymentId, version }) => ({
          updateOne: {
            filter: { application_id: applicationId, _id: paymentId },
            // The entry of version n is at index n - 1: each version has one entry, and entries are never removed.
            update: { $set: { [`history.${version - 1}.published_at`]: publishedAt } },
          },
        })),
        { ordered: false },
      );
    },

    /**
     * Payments by time of their last change, oldest first, from a time or a position on (inclusive). Without documents
     * whose id this service did not create: their position could not be returned to a caller.
     */
    async changedSince(from: Date | ChangePosition, limit: number): Promise<PaymentDocument[]> {
      return Model.find({
        ...(from instanceof Date ? { updated_at: { $gte: from } } : fromPosition(from)),
        _id: { $regex: ID_PATTERNS.payment },
      })
        .sort({ updated_at: 1, _id: 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
    },
  };
}

/**
 * Reads each payment once. One that the work leaves as it is, such as a payment that is not believed, must not be found
 * again and again in place of the others.
 */
async function* batchesOf(
  payments: AsyncIterable<PaymentDocument>,
  batchSize: number,
): AsyncGenerator<PaymentDocument[]> {
  let batch: PaymentDocument[] = [];
  for await (const payment of payments) {
    batch.push(payment);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The filter that names a payment's owner, taken from the payment itself, for work without a caller. */
export function ownerOf(payment: PaymentDocument): PaymentOwner {
  return {
    application_id: payment.application_id,
    team_id: payment.team_id,
    environment: payment.environment,
  };
}

export function ownerOfPrincipal(principal: Principal): PaymentOwner {
  return {
    application_id: principal.application_id,
    team_id: principal.team_id,
    environment: principal.environment,
  };
}

/** Matches only while no worker has claimed or postponed the payment since it was read. */
export function claimGuard(payment: PaymentDocument): QueryFilter<PaymentDocument> {
  const { fence, due_at } = payment.settlement;
  return { 'settlement.fence': fence, 'settlement.due_at': due_at ?? { $exists: false } };
}

function fromPosition({ updatedAt, paymentId }: ChangePosition): QueryFilter<PaymentDocument> {
  return {
    // Repeats the condition of $or as bounds for the index scan.
    updated_at: { $gte: updatedAt },
    $or: [{ updated_at: { $gt: updatedAt } }, { _id: { $gte: paymentId } }],
  };
}

function isDuplicateOf(error: unknown, path: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || !isDuplicateKey(error)) return false;
  return Object.hasOwn(error['keyPattern'] ?? {}, path);
}
