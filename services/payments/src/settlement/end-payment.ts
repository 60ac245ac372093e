import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import { findPayment } from '../lifecycle/find-payment.ts';
import {
  causeOfActor,
  type Failure,
  isCancellationRequested,
  isSameOutcome,
  type MemberDecision,
  type PaymentDocument,
  type SettlementOutcome,
} from '../lifecycle/payment.ts';
import { finishDecision } from '../processing/apply-state.ts';
import { claimForDecision } from '../processing/claim.ts';
import { claimGuard } from '../store/payment-writes.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';

export interface EndPaymentRequest<Outcome extends EndOutcome = EndOutcome> {
  actor: Actor;
  paymentId: string;
  outcome: Outcome;
  /** Id of the admin request; null when there is none. */
  requestId: string | null;
}

const NOT_VERIFIED =
  'The stored payment failed its integrity check: its data was not written by Tollgate. It cannot be settled. Contact the operator.';

export type EndOutcome = SettlementOutcome | { status: 'expired' };

/**
 * Records how a member or an API token ends a payment. A payment that already ended that way is returned unchanged.
 * `assertAllowed` throws when this actor may not end this payment. A worker that is settling the payment loses its claim
 * and cannot finish.
 *
 * @throws Problem `not-found` (also for other teams' payments), `forbidden` outside the actor's environments,
 * `conflict`, `unavailable`, and everything that `assertAllowed` throws
 */
export async function endPayment(
  context: Context,
  request: EndPaymentRequest,
  assertAllowed: (actor: Actor, payment: PaymentDocument) => void,
): Promise<PaymentDocument> {
  const { outcome } = request;
  return retryUntilConfirmed(async () => {
    const { payment, hasEnded } = await findEndable(context, request, assertAllowed);
    if (hasEnded) return payment;
    return outcome.status === 'expired'
      ? simulateExpiry(context, payment, request)
      : settle(context, payment, {
          outcome,
          cause: causeOfActor(request.actor),
          request_id: request.requestId,
        });
  });
}

/**
 * Returns the payment if this actor may end it this way now. `hasEnded`: it already ended that way.
 *
 * @throws what `endPayment` throws
 */
export async function findEndable(
  { store, verified }: Context,
  { actor, paymentId, outcome }: EndPaymentRequest,
  assertAllowed: (actor: Actor, payment: PaymentDocument) => void,
): Promise<{ payment: PaymentDocument; hasEnded: boolean }> {
  const payment = await findPayment({ store }, actor, paymentId);
  assertAllowed(actor, payment);
  if (hasEndedAs(payment, outcome)) return { payment, hasEnded: true };
  assertCanEndAs(payment, outcome);
  if (!verified.isVerified(payment)) throw conflict(NOT_VERIFIED);
  return { payment, hasEnded: false };
}

function hasEndedAs(payment: PaymentDocument, outcome: EndOutcome): boolean {
  if (outcome.status === 'expired') {
    return payment.status === 'canceled' && payment.cancellation_reason === 'expired';
  }
  if (payment.status !== outcome.status) return false;
  return outcome.status === 'succeeded' || payment.failure?.code === outcome.failure.code;
}

function assertCanEndAs(payment: PaymentDocument, outcome: EndOutcome): void {
  const { status, settlement } = payment;
  if (outcome.status === 'expired' && status === 'pending' && isCancellationRequested(payment)) {
    // The reason is sealed with the request: another one would invalidate the history.
    throw conflict('The cancellation of the payment is already requested. It is being canceled.');
  }
  if (status === 'pending') return;
  if (outcome.status === 'expired') throw conflict(`The payment is ${status}. Only pending payments expire.`);
  if (status !== 'processing') throw conflict(`The payment is ${status}, which is final.`);
  if (settlement.decision && !isSameOutcome(settlement.decision.outcome, outcome)) {
    throw conflict('Another outcome is already recorded. The payment is being settled.');
  }
}

/**
 * Calls no processor, because only payments of built-in processors are simulated. Null when the payment changed since it
 * was read.
 */
async function simulateExpiry(
  { store, outbox, clock }: Context,
  payment: PaymentDocument,
  { actor, requestId }: EndPaymentRequest,
): Promise<PaymentDocument | null> {
  const canceled = await store.transition(
    payment,
    {
      type: 'payment.canceled',
      at: new Date(clock.now()),
      cause: causeOfActor(actor),
      requestId,
      set: { cancellation_reason: 'expired' },
    },
    claimGuard(payment),
  );
  if (canceled) outbox.enqueueLatest(canceled);
  return canceled;
}

/** Settles a payment that can end this way. Null when the payment changed since it was read. */
export async function settle(
  context: Context,
  payment: PaymentDocument,
  decided: MemberDecision,
): Promise<PaymentDocument | null> {
  const { store, outbox, clock } = context;
  // An interrupted decision with the same outcome keeps its first author as the cause.
  const decision = payment.settlement.decision ?? decided;
  const claimed = await claimForDecision(store, payment, { now: new Date(clock.now()), decision });
  if (!claimed) return null;
  if (payment.status === 'pending') outbox.enqueueLatest(claimed);
  return finishDecision(context, claimed, decision);
}

function conflict(detail: string): Problem {
  return new Problem('conflict', detail);
}

/**
 * An outcome as a member sends it. Throws `invalid-request` when a failure is missing, or accompanies another status.
 */
export function readOutcome<Status extends EndOutcome['status']>(sent: {
  status: Status;
  failure?: Failure;
}): Extract<EndOutcome, { status: Status }> {
  const { status, failure } = sent;
  if (status === 'failed' && !failure) {
    throw invalidFailure('missing', 'A payment that fails needs a code and a message.');
  }
  if (status !== 'failed' && failure) {
    throw invalidFailure('invalid', 'Only a payment that fails has a failure. Leave this out.');
  }
  return sent as Extract<EndOutcome, { status: Status }>;
}

function invalidFailure(code: string, detail: string): Problem {
  return new Problem('invalid-request', detail, {
    errors: [{ pointer: '/outcome/failure', code, detail }],
  });
}
