import type { Environment } from '@tollgate/contracts/environment';
import { ID_PATTERNS } from '@tollgate/contracts/ids';
import type { CancellationReason, NextAction } from '@tollgate/contracts/payment';
import type { Principal } from '@tollgate/contracts/principal';
import { PROCESSOR_LIMITS } from '@tollgate/contracts/processors';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { type Connection, mongo, type QueryFilter, type UpdateQuery } from 'mongoose';
import { type Erasure, erasedPayment } from '../lifecycle/erased-payment.ts';
import {
  type BoundKey,
  type Cause,
  type Failure,
  type MemberDecision,
  newHistoryEntry,
  type PaymentDocument,
  type ProcessorCall,
  type Settlement,
} from '../lifecycle/payment.ts';
import { searchKeysOf } from '../lifecycle/search-keys.ts';
import {
  FINAL_STATUSES,
  isAllowed,
  isFinal,
  statusAfter,
  type TransitionType,
} from '../lifecycle/transitions.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { erasingUpdate } from './erasing-update.ts';
import { insertTogether } from './insert-together.ts';
import {
  NOT_ERASED,
  paymentSchema,
  RETENTION_INDEX,
  UNPUBLISHED_INDEX,
  WITHOUT_SEARCH_KEYS,
  WITHOUT_SEARCH_KEYS_INDEX,
} from './payment-schema.ts';

/** Maximum number of payments that one measurement of the outbox reads. A longer backlog triggers every alert anyway. */
const MAX_PAYMENTS_FOR_AGE = 1_000;

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
  /** What the processor said, unless it is the same as before. */
  nextAction?: NextAction | undefined;
  processorReference?: string | undefined;
  /** The call that led to the change. */
  call?: ProcessorCall | undefined;
  set?: {
    failure?: Failure;
    cancellation_reason?: CancellationReason | null;
    cancel_key?: BoundKey;
    'settlement.due_at'?: Date;
    'settlement.fence'?: number;
    'settlement.calls'?: number;
    'settlement.decision'?: MemberDecision;
  };
}

/** The position after which a listing by time of change continues. */
export interface ChangePosition {
  updatedAt: Date;
  paymentId: string;
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

/**
 * The queries of the `payments` collection. The only others are in history/history-store.ts, for lists and sums, and in
 * sandbox-reset/sandbox-payments.ts, which deletes.
 */
export function createPaymentStore(connection: Connection, seals: HistorySeals) {
  const Model = connection.model<PaymentDocument>('Payment', paymentSchema, 'payments');
  const collection = connection.collection<PaymentDocument>('payments');
  // Bypasses mongoose's casting: newPayment built the document, and this is the platform's most frequent write.
  const insert = insertTogether(collection);

  /** The version, status, times, and history after the change, under one seal. */
  function updateOf(payment: PaymentDocument, change: Change): UpdateQuery<PaymentDocument> {
    const entry = newHistoryEntry({
      type: change.type,
      version: payment.version + 1,
      occurredAt: change.at,
      cause: change.cause,
      requestId: change.requestId,
      nextAction: change.nextAction,
      processorReference: change.processorReference,
    });
    const { failure = null, cancellation_reason = null } = change.set ?? {};
    const seal = seals.sealTransition(payment, entry, { failure, cancellation_reason });
    const decision = change.set?.['settlement.decision'];
    const status = statusAfter(change.type);
    const { 'settlement.due_at': dueAt, ...set } = change.set ?? {};
    return {
      $set: {
        ...set,
        ...(dueAt && !isFinal(status) && { 'settlement.due_at': dueAt }),
        ...(decision && { 'settlement.decision_seal': seals.sealDecision(payment, decision) }),
        status,
        updated_at: change.at,
      },
      $inc: { version: 1 },
      $push: { history: { ...entry, seal }, ...(change.call && pushCall(change.call)) },
      // A payment in a final status is never due again.
      ...(isFinal(status) && { $unset: { 'settlement.due_at': 1 } }),
    };
  }

  return {
    /** Returns the payment with its seal. Null when the create key is already bound. */
    async insert(payment: PaymentDocument): Promise<PaymentDocument | null> {
      const sealed = {
        ...payment,
        history: payment.history.map((entry) => ({ ...entry, seal: seals.sealOf(payment, entry) })),
      };
      try {
        await insert(sealed);
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

    /** A processor knows only a payment's id, like a member. */
    async findOfProcessor(processor: string, paymentId: string): Promise<PaymentDocument | null> {
      return collection.findOne({ _id: paymentId, 'settlement.processor': processor });
    },

    async findByCreateKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'create_key.key': key }).lean<PaymentDocument>();
    },

    async findByCancelKey(owner: PaymentOwner, key: string): Promise<PaymentDocument | null> {
      return Model.findOne({ ...owner, 'cancel_key.key': key }).lean<PaymentDocument>();
    },

    /**
     * The only way to change what callers see: one conditional update. Null when the payment changed since it was read,
     * when `guard` does not match, or when another payment has bound the cancel key.
     */
    async transition(
      payment: PaymentDocument,
      change: Change,
      guard: QueryFilter<PaymentDocument> = {},
    ): Promise<PaymentDocument | null> {
      const { _id, status, version } = payment;
      if (!isAllowed(change.type, status))
        throw new Error(`${change.type} is not allowed: ${_id} is ${status}`);
      try {
        return await Model.findOneAndUpdate(
          { ...ownerOf(payment), ...guard, _id, status, version },
          updateOf(payment, change),
          { returnDocument: 'after' },
        ).lean<PaymentDocument>();
      } catch (error) {
        if (isDuplicateOf(error, 'cancel_key.key')) return null;
        throw error;
      }
    },

    /**
     * Removes the personal data of a payment that has ended, and seals what is left again. Null when the payment changed
     * since it was read.
     */
    async erase(payment: PaymentDocument, erasure: Erasure): Promise<PaymentDocument | null> {
      const { _id, status, version } = payment;
      if (!isFinal(status)) throw new Error(`${_id} is ${status}, and cannot be erased`);
      const erased = erasedPayment(payment, erasure);
      return collection.findOneAndUpdate(
        { ...ownerOf(payment), _id, status, version },
        erasingUpdate(erased, (entry) => seals.sealOf(erased, entry)),
        { returnDocument: 'after' },
      );
    },

    /** For background work over all applications: erased payments of which NATS may still have messages. */
    async findPurgeDue(now: Date, limit: number): Promise<PaymentDocument[]> {
      return collection.find({ purge_due_at: { $lte: now } }, { sort: { purge_due_at: 1 }, limit }).toArray();
    },

    /** Makes the next purge record all erasures again. Reads every payment, so call this only after NATS lost its store. */
    async purgeErasedAgain(now: Date): Promise<void> {
      await collection.updateMany(
        { 'history.is_erasure': true },
        { $set: { purge_due_at: now }, $unset: { purged_at: 1 } },
      );
    },

    /**
     * NATS was purged for the first time, and is purged once more. An instance of a release without the search left the
     * search keys when it erased the payment.
     */
    async repeatPurge(payment: PaymentDocument, at: { purgedAt: Date; dueAt: Date }): Promise<void> {
      const set = { purged_at: at.purgedAt, purge_due_at: at.dueAt, search_keys: searchKeysOf(payment) };
      await collection.updateOne({ ...ownerOf(payment), _id: payment._id }, { $set: set });
    },

    /** NATS has no message of the payment any more. */
    async endPurge(payment: PaymentDocument): Promise<void> {
      const unset = { purged_at: 1, purge_due_at: 1 } as const;
      const set = { search_keys: searchKeysOf(payment) };
      await collection.updateOne({ ...ownerOf(payment), _id: payment._id }, { $unset: unset, $set: set });
    },

    /**
     * For background work over all applications: adds search keys to payments of a release that stored none, unless they
     * change meanwhile. Resolves to the number of payments that had none.
     */
    async addSearchKeys(limit: number): Promise<number> {
      const payments = await collection
        .find(WITHOUT_SEARCH_KEYS, { hint: WITHOUT_SEARCH_KEYS_INDEX, limit })
        .project<PaymentDocument>({ history: 0, metadata: 0, processor_calls: 0 })
        .toArray();
      if (payments.length === 0) return 0;
      await collection.bulkWrite(
        payments.map((payment) => ({
          updateOne: {
            filter: {
              ...ownerOf(payment),
              _id: payment._id,
              version: payment.version,
              ...WITHOUT_SEARCH_KEYS,
            },
            update: { $set: { search_keys: searchKeysOf(payment) } },
          },
        })),
        { ordered: false },
      );
      return payments.length;
    },

    /**
     * Changes how an open payment is settled, not the payment that callers see. Null when the payment changed, or was
     * claimed or postponed, since it was read.
     */
    async updateSettlement(
      payment: PaymentDocument,
      set: Partial<Pick<Settlement, 'due_at' | 'fence' | 'decision' | 'started_at' | 'calls'>>,
      call?: ProcessorCall,
    ): Promise<PaymentDocument | null> {
      const sealed = {
        ...set,
        ...(set.decision && { decision_seal: seals.sealDecision(payment, set.decision) }),
      };
      const fields = Object.entries(sealed).map(([name, value]) => [`settlement.${name}`, value]);
      return Model.findOneAndUpdate(
        { ...ownerOf(payment), ...claimGuard(payment), _id: payment._id, status: payment.status },
        { $set: Object.fromEntries(fields), ...(call && { $push: pushCall(call) }) },
        { returnDocument: 'after' },
      ).lean<PaymentDocument>();
    },

    /** For background work over all applications: the processor's payments that are due, each once. */
    findDue(processor: string, now: Date, batchSize: number): AsyncIterable<PaymentDocument> {
      const due = { 'settlement.processor': processor, 'settlement.due_at': { $lte: now } };
      return collection.find(due, { sort: { 'settlement.due_at': 1 }, batchSize });
    },

    /** For operators, over all applications: the names of the processors that workers will ask. */
    async processorsWithOpenPayments(): Promise<string[]> {
      return collection.distinct('settlement.processor', { 'settlement.due_at': { $exists: true } });
    },

    /** For operators, over all applications: the processor's payments that workers ask about, and those that are stuck. */
    async countOpen(processor: string, stuckSince: Date): Promise<{ open: number; stuck: number }> {
      const due = { 'settlement.processor': processor, 'settlement.due_at': { $exists: true } };
      const stuck = { 'settlement.processor': processor, ...stuckBefore(stuckSince) };
      return { open: await collection.countDocuments(due), stuck: await collection.countDocuments(stuck) };
    },

    /** For background work over all teams: who has stuck payments at which processor. */
    async teamsWithStuckPayments(stuckSince: Date): Promise<{ processor: string; teamId: string }[]> {
      const found = [];
      for (const processor of await collection.distinct('settlement.processor', stuckBefore(stuckSince))) {
        const teams = await collection.distinct('team_id', {
          'settlement.processor': processor,
          ...stuckBefore(stuckSince),
        });
        found.push(...teams.map((teamId) => ({ processor, teamId })));
      }
      return found;
    },

    async countStuckOfTeam(
      { team_id, environment, processor }: { team_id: string; environment: Environment; processor: string },
      stuckSince: Date,
    ): Promise<number> {
      return collection.countDocuments({
        team_id,
        environment,
        'settlement.processor': processor,
        ...stuckBefore(stuckSince),
      });
    },

    /**
     * For background work over all applications: the processor's payments that it started and that ended, or were erased after
     * their end, in the period, by the time of that, after a position.
     */
    async findEnded(
      processor: string,
      { from, to }: { from: Date; to: Date },
      after: ChangePosition | null,
      limit: number,
    ): Promise<PaymentDocument[]> {
      return collection
        .find({
          updated_at: { $gte: after?.updatedAt ?? from, $lt: to },
          ...(after && { $or: afterPosition(after) }),
          status: { $in: FINAL_STATUSES },
          'settlement.processor': processor,
          'settlement.started_at': { $exists: true },
        })
        .sort({ updated_at: 1, _id: 1 })
        .hint({ updated_at: 1, _id: 1 })
        .limit(limit)
        .toArray();
    },

    /**
     * For background work over all applications of a team: payments that ended before a time and are not erased, by the
     * time at which they ended, after a position.
     */
    async findRetained(
      teamId: string,
      endedBefore: Date,
      after: ChangePosition | null,
      limit: number,
    ): Promise<PaymentDocument[]> {
      return collection
        .find({
          team_id: teamId,
          ...NOT_ERASED,
          updated_at: { ...(after && { $gte: after.updatedAt }), $lt: endedBefore },
          ...(after && { $or: afterPosition(after) }),
          status: { $in: FINAL_STATUSES },
        })
        .sort({ updated_at: 1, _id: 1 })
        .hint(RETENTION_INDEX)
        .limit(limit)
        .toArray();
    },

    /** For background work over all applications: pending payments that expired and that nobody asked to cancel. */
    findExpired(now: Date, batchSize: number): AsyncIterable<PaymentDocument[]> {
      const expired = {
        status: 'pending',
        expires_at: { $lte: now },
        'history.type': { $ne: 'payment.cancellation_requested' },
      } as const;
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

    /**
     * Time of the oldest unpublished event; null if there is none. Of a larger backlog, it reads those payments that have not changed
     * for the longest time.
     */
    async oldestUnpublishedAt(): Promise<Date | null> {
      const payments = await collection
        .find({ 'history.published_at': null })
        .hint(UNPUBLISHED_INDEX)
        .sort({ updated_at: 1 })
        .limit(MAX_PAYMENTS_FOR_AGE)
        .project<Pick<PaymentDocument, 'history'>>({ 'history.published_at': 1, 'history.occurred_at': 1 })
        .toArray();
      const times = payments
        .flatMap(({ history }) => history)
        .filter(({ published_at }) => published_at === null)
        .map(({ occurred_at }) => occurred_at.getTime());
      return times.length === 0 ? null : new Date(Math.min(...times));
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
function ownerOf(payment: PaymentDocument): PaymentOwner {
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

/** Beside a condition that excludes earlier times of change. */
function afterPosition({ updatedAt, paymentId }: ChangePosition) {
  return [{ updated_at: { $gt: updatedAt } }, { _id: { $gt: paymentId } }];
}

/** The newest calls only: a payment that is asked about for a week must not grow. */
function pushCall(call: ProcessorCall) {
  return { processor_calls: { $each: [call], $slice: -PROCESSOR_LIMITS.storedCalls } };
}

function isDuplicateOf(error: unknown, path: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || !isDuplicateKey(error)) return false;
  return Object.hasOwn(error['keyPattern'] ?? {}, path);
}

/** Payments that workers ask about, and that have been processing since before this time. */
function stuckBefore(time: Date) {
  return {
    'settlement.due_at': { $exists: true },
    status: 'processing',
    updated_at: { $lt: time },
  } as const;
}
