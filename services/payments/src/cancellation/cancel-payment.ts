import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import type { CancelPaymentBody, Payment } from '@tollgate/contracts/payments/payment';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { Problem } from '@tollgate/contracts/platform/problem';
import { entityTag, ifMatchNames } from '@tollgate/http/entity-tag';
import type { Context } from '../context.ts';
import { assertSameRequest, keyToBind } from '../idempotency/request-fingerprint.ts';
import { paymentNotFound } from '../lifecycle/find-payment.ts';
import {
  type BoundKey,
  causeOfPrincipal,
  changedAtBy,
  isCancellationRequested,
  newestEntry,
  type PaymentDocument,
} from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { isCancelable } from '../lifecycle/transitions.ts';
import { applyState, askLater } from '../processing/apply-state.ts';
import { LEASE_MS } from '../processing/claim.ts';
import { callProcessor } from '../processors/call-processor.ts';
import { ownerOfPrincipal } from '../store/payment-owner.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { type CancellationRequest, requestCancellation } from './request-cancellation.ts';

/** How long an application waits for the processor. The call continues after that, and its reply is used. */
const CALLER_WAITS_MS = 10 * SECOND_MS;

export interface CancelPaymentRequest {
  principal: RequestPrincipal;
  paymentId: string;
  requestId: string;
  /** As parseIdempotencyKey returns it. */
  idempotencyKey: string | null;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
  body: CancelPaymentBody;
}

interface CancelPaymentResult {
  /** Canceled, or pending while the processor has not confirmed the cancellation. */
  payment: Payment;
  replayed: boolean;
  /** When this request canceled the payment or requested it; null when it changed nothing. */
  changedAt: Date | null;
}

/**
 * Cancels a pending payment. If its processor has started it, only the processor knows whether money moves: the request
 * for a cancellation is stored, and the processor is asked. Repeating the request is safe at every point.
 *
 * Only the request that changed the payment binds its key. Repeating that request returns the payment as it was right
 * after the cancellation.
 *
 * `If-Match` guards the change. A payment that is already canceled is returned whatever the header says (RFC 9110 §13.1.1).
 *
 * @throws Problem `payment-not-found`, `payment-not-cancelable`, `precondition-failed`, `idempotency-key-reused`, `unavailable`
 */
export async function cancelPayment(
  context: Context,
  request: CancelPaymentRequest,
): Promise<CancelPaymentResult> {
  const owner = ownerOfPrincipal(request.principal);
  const cancelKey = keyOf(request);
  return retryUntilConfirmed(async () => {
    const payment = await context.store.find(owner, request.paymentId);
    // Read after the payment: the request that bound the key may have changed it in between.
    const bound = cancelKey && (await context.store.findByCancelKey(owner, cancelKey.key));
    if (cancelKey && bound?.cancel_key) {
      assertSameRequest(bound.cancel_key, cancelKey);
      return resultOf(await cancelUntilConfirmed(context, bound), request, { replayed: true });
    }
    if (!payment) throw paymentNotFound();
    if (!isCanceling(payment)) requireMatch(payment, request.ifMatch);
    const changed = await cancelOrRequest(context, payment, {
      cause: causeOfPrincipal(request.principal),
      requestId: request.requestId,
      reason: request.body.cancellation_reason ?? null,
      cancelKey,
    });
    return changed && resultOf(await cancelUntilConfirmed(context, changed), request, { replayed: false });
  });
}

/** It is canceled, or it will be if its processor confirms. */
function isCanceling(payment: PaymentDocument): boolean {
  return payment.status === 'canceled' || isCancellationRequested(payment);
}

function requireMatch({ version }: PaymentDocument, ifMatch: string | undefined): void {
  if (ifMatchNames(ifMatch, entityTag(version))) return;
  throw new Problem(
    'precondition-failed',
    `The payment has the version ${version}, which If-Match does not name.`,
  );
}

function keyOf({ idempotencyKey, paymentId, body }: CancelPaymentRequest): BoundKey | null {
  if (idempotencyKey === null) return null;
  return keyToBind(idempotencyKey, { method: 'POST', path: `/v1/payments/${paymentId}/cancel`, body });
}

/** The payment with the caller's cancellation or request for one; null when it changed since it was read. */
export async function cancelOrRequest(
  context: Context,
  payment: PaymentDocument,
  request: Omit<CancellationRequest, 'leaseMs'>,
): Promise<PaymentDocument | null> {
  if (!isCancelable(payment.status) || isCancellationRequested(payment)) return payment;
  return requestCancellation(context, payment, { ...request, leaseMs: LEASE_MS });
}

/** A pending payment waits for its processor, which is asked here. */
export async function cancelUntilConfirmed(
  context: Context,
  payment: PaymentDocument,
  waitMs: number = CALLER_WAITS_MS,
): Promise<PaymentDocument> {
  return payment.status === 'pending' ? cancelAtProcessor(context, payment, waitMs) : payment;
}

function resultOf(
  payment: PaymentDocument,
  { requestId }: CancelPaymentRequest,
  { replayed }: { replayed: boolean },
): CancelPaymentResult {
  assertCanceled(payment);
  // The request for a cancellation counts, rather than the processor's confirmation.
  const changedAt = changedAtBy(payment, ['payment.cancellation_requested', 'payment.canceled'], requestId);
  const version = newestEntry(payment, 'payment.canceled')?.version ?? payment.version;
  return { payment: paymentAtVersion(payment, version), replayed, changedAt };
}

/** @throws Problem `payment-not-cancelable` unless the payment is canceled, or its processor is asked */
export function assertCanceled({ status }: PaymentDocument): void {
  if (status === 'canceled' || status === 'pending') return;
  throw new Problem(
    'payment-not-cancelable',
    `The payment is ${status}. Only pending payments can be canceled.`,
    {
      extensions: { payment_status: status },
    },
  );
}

/**
 * Asks the processor to cancel a payment whose cancellation is requested. Returns the payment after its reply: canceled, or
 * in the status that it has reached. Without a reply in time, or while many callers wait for this processor, the payment is still
 * pending, and a worker asks when the lease of the request ends.
 */
async function cancelAtProcessor(
  context: Context,
  payment: PaymentDocument,
  waitMs: number,
): Promise<PaymentDocument> {
  const { callerSlots, store } = context;
  const replied = await callerSlots.run(payment.settlement.processor, () => ask(context, payment), waitMs);
  // Another request, a callback, or a worker may have been faster: its result counts.
  return replied ?? (await store.findOfTeam(payment.team_id, payment._id)) ?? payment;
}

/** An error after the caller has stopped waiting is dropped: the lease of the request ends, and a worker asks again. */
async function ask(context: Context, payment: PaymentDocument): Promise<PaymentDocument | null> {
  const { state, record } = await callProcessor(context, payment, 'cancel');
  return state ? applyState(context, payment, state, record) : askLater(context, payment, record);
}
