import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import type { Context } from '../context.ts';
import {
  isCancellationRequested,
  type KnownFailure,
  type MemberDecision,
  type PaymentDocument,
  type ProcessorCall,
} from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { isAllowed, isFinal, type TransitionType } from '../lifecycle/transitions.ts';
import type { ProcessorState } from '../processors/processor.ts';
import { differs, newReversals, replyOf } from '../reconciliation/difference.ts';
import { type Change, claimGuard } from '../store/payment-writes.ts';

/** A processor that keeps changing its page must not make the document grow. */
const MAX_VERSIONS = 50;
const FIRST_INTERVAL_MS = 2 * SECOND_MS;
/** Also the time within which Tollgate learns of a change whose callback was lost. */
export const MAX_INTERVAL_MS = 5 * MINUTE_MS;
/** 2 s doubled this often exceeds the maximum. */
const MAX_DOUBLINGS = 8;

/**
 * When to ask the processor again, after so many calls without a visible change, whether they failed or reported the same
 * state: after 2 s, 4 s, 8 s, and so on up to 5 minutes.
 */
function nextCallAt(now: Date, calls: number): Date {
  const intervalMs = FIRST_INTERVAL_MS * 2 ** Math.min(calls, MAX_DOUBLINGS);
  return new Date(now.getTime() + Math.min(intervalMs, MAX_INTERVAL_MS));
}

/**
 * Writes what a processor said about a payment: a visible change, or only the time of the next call. Returns the payment
 * after the write, or null when it was changed or claimed since it was read.
 */
export async function applyState(
  context: Context,
  payment: PaymentDocument,
  state: ProcessorState,
  record: ProcessorCall,
): Promise<PaymentDocument | null> {
  const { store, outbox, clock } = context;
  if (!isFinal(payment.status) && !hasMoneyOf(payment, state)) {
    return leaveUndecided(context, payment, state, record);
  }
  const change = changeForState(payment, state);
  if (change === null) {
    if (!isFinal(payment.status)) return askLater(context, payment, record, state.askAgainAt);
    await suspectDifference(context, payment, state);
    return payment;
  }
  const at = new Date(clock.now());
  const changed = await store.transition(
    payment,
    {
      ...change,
      at,
      cause: { type: 'processor', id: payment.settlement.processor },
      requestId: null,
      call: record,
      set: {
        ...change.set,
        'settlement.calls': 0,
        'settlement.due_at': state.askAgainAt ?? nextCallAt(at, 0),
      },
    },
    claimGuard(payment),
  );
  if (changed) {
    outbox.enqueueLatest(changed);
    if (isFinal(changed.status)) await suspectDifference(context, changed, state);
  }
  return changed;
}

/**
 * A final status with other money than the payment's decides nothing: the payment stays open, the processor is asked again, and
 * members see the difference.
 */
async function leaveUndecided(
  context: Context,
  payment: PaymentDocument,
  state: ProcessorState,
  record: ProcessorCall,
): Promise<PaymentDocument | null> {
  const error = `The processor reports the status ${state.status} with ${state.amount} ${state.currency ?? ''}, but the payment has ${payment.amount} ${payment.currency} (minor units). The status is not used. Correct the payment at the processor.`;
  const left = await askLater(context, payment, { ...record, error }, state.askAgainAt);
  if (left) {
    // The reconciliation asks only if no worker does.
    const askAt = new Date(record.at.getTime() + DAY_MS);
    await context.differences.record(left, replyOf(state, record.at), askAt);
  }
  return left;
}

/** What a processor says about a payment that has ended may only be late, so it is asked before a difference is reported. */
async function suspectDifference(
  { differences, clock }: Context,
  payment: PaymentDocument,
  state: ProcessorState,
): Promise<void> {
  const now = new Date(clock.now());
  const hasReversals = newReversals(payment, state, now).length > 0;
  if (hasReversals || differs(payment, state))
    await differences.suspect(payment, now, { reopens: hasReversals });
  else if (wasUndecided(payment)) await differences.remove(payment._id);
}

/** Whether a reply of the processor was not used: it had a status, and its call has an error. */
function wasUndecided({ processor_calls = [] }: PaymentDocument): boolean {
  return processor_calls.some(({ status, error }) => status !== null && error !== null);
}

/** Schedules the next call after one that changed nothing. Null when the payment was changed or claimed since it was read. */
export async function askLater(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  payment: PaymentDocument,
  record: ProcessorCall,
  askAgainAt?: Date,
): Promise<PaymentDocument | null> {
  const calls = (payment.settlement.calls ?? 0) + 1;
  const due_at = askAgainAt ?? nextCallAt(new Date(clock.now()), calls);
  return store.updateSettlement(payment, { due_at, calls }, record);
}

/**
 * Ends a payment as a member decided, only under the fence of the claim. Null when another claim was made since.
 */
export async function finishDecision(
  { store, outbox, clock }: Context,
  claimed: PaymentDocument,
  { outcome, cause, request_id }: MemberDecision,
): Promise<PaymentDocument | null> {
  const finished = await store.transition(
    claimed,
    {
      type: outcome.status === 'succeeded' ? 'payment.succeeded' : 'payment.failed',
      at: new Date(clock.now()),
      cause,
      requestId: request_id,
      ...(outcome.status === 'failed' && { set: { failure: outcome.failure } }),
    },
    claimGuard(claimed),
  );
  if (finished) outbox.enqueueLatest(finished);
  return finished;
}

/** The change that a state at the processor means for the payment; null when it says nothing new. */
function changeForState(
  payment: PaymentDocument,
  state: ProcessorState,
): Pick<Change, 'type' | 'nextAction' | 'processorReference' | 'set'> | null {
  const type = typeFor(payment, state);
  if (type === null || !isAllowed(type, payment.status)) return null;
  const shown = paymentAtVersion(payment);
  const isNewReference = state.reference !== null && state.reference !== shown.processor_reference;
  const change = { type, processorReference: isNewReference ? (state.reference as string) : undefined };
  switch (type) {
    case 'payment.action_required': {
      const isSameAction = state.next_action?.url === shown.next_action?.url;
      if ((isSameAction && !isNewReference) || payment.version >= MAX_VERSIONS) return null;
      return { ...change, nextAction: state.next_action ?? undefined };
    }
    case 'payment.failed':
      return { ...change, set: { failure: state.failure ?? CANCELED_BY_PROCESSOR } };
    case 'payment.canceled':
      return { ...change, set: { cancellation_reason: cancellationReason(payment) } };
    default:
      return change;
  }
}

/** The payment was already processing, which cannot become canceled: for the caller, the payment failed. */
export const CANCELED_BY_PROCESSOR: KnownFailure = {
  code: 'canceled_by_processor',
  message: 'The processor canceled the payment.',
};

function typeFor({ status }: PaymentDocument, state: ProcessorState): TransitionType | null {
  if (state.status === 'canceled' && status === 'processing') return 'payment.failed';
  if (state.status === 'processing' && status === 'processing') return null;
  return `payment.${state.status}`;
}

/** The reason in the request to cancel. Without a request, the payer left the processor's page or let it expire. */
function cancellationReason(payment: PaymentDocument) {
  return isCancellationRequested(payment) ? payment.cancellation_reason : 'abandoned';
}
