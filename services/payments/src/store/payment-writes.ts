import type { CancellationReason, NextAction } from '@tollgate/contracts/payments/payment';
import { PROCESSOR_LIMITS } from '@tollgate/contracts/payments/processors';
import { isDuplicateKey } from '@tollgate/store/duplicate-key';
import { mongo, type QueryFilter, type UpdateQuery } from 'mongoose';
import {
  type BoundKey,
  type Cause,
  type Failure,
  type MemberDecision,
  newHistoryEntry,
  type PaymentDocument,
  type ProcessorCall,
  type Reversal,
  type Settlement,
} from '../lifecycle/payment.ts';
import { isAllowed, isFinal, statusAfter, type TransitionType } from '../lifecycle/transitions.ts';
import type { HistorySeals } from '../seals/history-seal.ts';
import { insertTogether } from './insert-together.ts';
import type { PaymentCollections } from './payment-collections.ts';
import { ownerOf } from './payment-owner.ts';

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

/** A processor that keeps changing what it says must not make the document grow. */
const MAX_REVERSALS = 100;

/** Creates payments, changes what callers see of them, and changes how open ones are settled. */
export function paymentWrites({ Model, collection }: PaymentCollections, seals: HistorySeals) {
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
        ...(status === 'succeeded' && { succeeded_at: change.at }),
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
        throw new Error(`${change.type} is not allowed: the payment ${_id} is ${status}`);
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

    /** Adds to what the processor has said since the payment ended. No effect if another process has added to it since it was read. */
    async addReversals(payment: PaymentDocument, added: readonly Reversal[]): Promise<void> {
      const known = payment.reversals?.length ?? 0;
      if (added.length === 0 || known + added.length > MAX_REVERSALS) return;
      await Model.updateOne(
        {
          ...ownerOf(payment),
          _id: payment._id,
          reversals: known === 0 ? { $exists: false } : { $size: known },
        },
        { $push: { reversals: { $each: added } } },
      );
    },
  };
}

/** Matches only while no worker has claimed or postponed the payment since it was read. */
export function claimGuard(payment: PaymentDocument): QueryFilter<PaymentDocument> {
  const { fence, due_at } = payment.settlement;
  return { 'settlement.fence': fence, 'settlement.due_at': due_at ?? { $exists: false } };
}

/** The newest calls only: a payment that is asked about for a week must not grow. */
function pushCall(call: ProcessorCall) {
  return { processor_calls: { $each: [call], $slice: -PROCESSOR_LIMITS.storedCalls } };
}

function isDuplicateOf(error: unknown, path: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || !isDuplicateKey(error)) return false;
  return Object.hasOwn(error['keyPattern'] ?? {}, path);
}
