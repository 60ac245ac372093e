import type { Environment } from '@tollgate/contracts/environment';
import type { Principal } from '@tollgate/contracts/principal';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { type Connection, mongo, type QueryFilter, type UpdateQuery } from 'mongoose';
import {
  type Cause,
  type MemberDecision,
  newHistoryEntry,
  type PaymentDocument,
  TRANSITIONS,
  type TransitionType,
  VERSION_IN_STATUS,
  versionAfter,
} from './payment.ts';
import { paymentSchema, UNPUBLISHED_INDEX } from './payment-schema.ts';

/**
 * Whose payments a caller may see. Payments are sharded by application, so that every filter of an application's request, every
 * write and every unique index starts with it. Members ask about their team, whichever applications it has: their reads, here
 * `findOfTeam` and those in history/, start with `team_id` and go to every shard.
 */
export interface PaymentOwner {
  application_id: string;
  team_id: string;
  environment: Environment;
}

/** What a transition writes beside status, version, time and history. */
export interface Change {
  type: TransitionType;
  at: Date;
  cause: Cause;
  requestId: string | null;
  set?: Record<string, unknown>;
}

/** The place after which a listing by time of change goes on. */
export interface ChangePosition {
  updatedAt: Date;
  paymentId: string;
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

/** The queries of the `payments` collection; those of lists and sums are in history/history-store.ts, and there are no others. */
export function createPaymentStore(connection: Connection) {
  const Model = connection.model<PaymentDocument>('Payment', paymentSchema, 'payments');
  const collection = connection.collection<PaymentDocument>('payments');

  return {
    /** Creates the indexes that are missing. Nothing is served before: without them an idempotency key binds nothing. */
    async ensureIndexes(): Promise<void> {
      await Model.createIndexes();
    },

    /** False when the create key is bound already. */
    async insert(payment: PaymentDocument): Promise<boolean> {
      try {
        // Past mongoose's casting: the document is made by newPayment, and this is the hottest write of the platform.
        await collection.insertOne(payment);
        return true;
      } catch (error) {
        if (isDuplicateOf(error, 'create_key.key')) return false;
        throw error;
      }
    },

    async find(owner: PaymentOwner, paymentId: string): Promise<PaymentDocument | null> {
      // Past mongoose's casting, too: the filter is built from checked texts, and this is the hottest read.
      return collection.findOne({ ...owner, _id: paymentId });
    },

    /** A member knows a payment's id alone. Anyone who goes on to change the payment names the application that this found. */
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
     * transition starts from, when `guard` does not hold, or when the cancel key that it would bind is bound already.
     */
    async transition(
      owner: PaymentOwner,
      paymentId: string,
      change: Change,
      guard: QueryFilter<PaymentDocument> = {},
    ): Promise<PaymentDocument | null> {
      const { from, to } = TRANSITIONS[change.type];
      const update: UpdateQuery<PaymentDocument> = {
        $set: { ...change.set, status: to, updated_at: change.at },
        $inc: { version: 1 },
        $push: {
          history: newHistoryEntry({
            type: change.type,
            version: versionAfter(change.type),
            occurredAt: change.at,
            cause: change.cause,
            requestId: change.requestId,
          }),
        },
        // A payment that came to its end is never due again.
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

    /** Changes how a payment in `processing` is settled, not the payment that callers see. Null when `guard` does not hold. */
    async updateSettlement(
      payment: PaymentDocument,
      set: { due_at: Date; fence?: number; decision?: MemberDecision },
    ): Promise<PaymentDocument | null> {
      const fields = Object.entries(set).map(([name, value]) => [`settlement.${name}`, value]);
      return Model.findOneAndUpdate(
        { ...ownerOf(payment), ...claimGuard(payment), _id: payment._id, status: 'processing' },
        { $set: Object.fromEntries(fields) },
        { returnDocument: 'after' },
      ).lean<PaymentDocument>();
    },

    /** Background work, over all applications: payments that a worker must look at. */
    async findDue(now: Date, limit: number): Promise<PaymentDocument[]> {
      return Model.find({ 'settlement.due_at': { $lte: now } })
        .sort({ 'settlement.due_at': 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
    },

    /** Background work, over all applications: pending payments that nobody settled in time. */
    async findExpired(now: Date, limit: number): Promise<PaymentDocument[]> {
      return Model.find({ status: 'pending', expires_at: { $lte: now } })
        .sort({ expires_at: 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
    },

    /** Background work, over all applications: payments changed before `changedBefore` with events still to publish. */
    async findUnpublished(changedBefore: Date, limit: number): Promise<PaymentDocument[]> {
      return (
        Model.find({ 'history.published_at': null, updated_at: { $lt: changedBefore } })
          // The index of all changes would serve this order too, but over every payment there is.
          .hint(UNPUBLISHED_INDEX)
          .sort({ updated_at: 1 })
          .limit(limit)
          .lean<PaymentDocument[]>()
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
            // The entry of version n is at place n - 1: one entry per version, and none is ever removed.
            update: { $set: { [`history.${version - 1}.published_at`]: publishedAt } },
          },
        })),
        { ordered: false },
      );
    },

    /** Payments by time of their last change, from `since` or from a position on (inclusive), oldest first. */
    async changedSince(from: Date | ChangePosition, limit: number): Promise<PaymentDocument[]> {
      return Model.find(from instanceof Date ? { updated_at: { $gte: from } } : fromPosition(from))
        .sort({ updated_at: 1, _id: 1 })
        .limit(limit)
        .lean<PaymentDocument[]>();
    },
  };
}

/** The filter members that name a payment's owner, taken from the payment itself: for work that no caller asked for. */
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

/** Holds only while nobody has claimed or postponed the payment since it was read. */
export function claimGuard(payment: PaymentDocument): QueryFilter<PaymentDocument> {
  const { fence, due_at } = payment.settlement;
  return { 'settlement.fence': fence, 'settlement.due_at': due_at ?? { $exists: false } };
}

function fromPosition({ updatedAt, paymentId }: ChangePosition): QueryFilter<PaymentDocument> {
  return {
    // Repeats what $or says, as the bounds of the index scan.
    updated_at: { $gte: updatedAt },
    $or: [{ updated_at: { $gt: updatedAt } }, { _id: { $gte: paymentId } }],
  };
}

function isDuplicateOf(error: unknown, path: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || !isDuplicateKey(error)) return false;
  return Object.hasOwn(error['keyPattern'] ?? {}, path);
}
