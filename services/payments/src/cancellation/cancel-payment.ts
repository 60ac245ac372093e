import type { CancelPaymentBody, Payment } from '@tollgate/contracts/payment';
import type { RequestPrincipal } from '@tollgate/contracts/principal';
import { Problem } from '@tollgate/contracts/problem';
import { assertSameRequest, keyToBind } from '../idempotency/request-fingerprint.ts';
import { causeOfPrincipal } from '../lifecycle/cause-of-principal.ts';
import {
  type BoundKey,
  changedAtBy,
  isCancellationRequested,
  newestEntry,
  type PaymentDocument,
} from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { paymentNotFound } from '../lifecycle/payment-not-found.ts';
import { isCancelable } from '../lifecycle/transitions.ts';
import { LEASE_MS } from '../processing/claim.ts';
import { ownerOfPrincipal } from '../store/payment-store.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { type CancelAtProcessorDeps, cancelAtProcessor } from './cancel-at-processor.ts';
import { requestCancellation } from './request-cancellation.ts';

export type CancelPaymentDeps = CancelAtProcessorDeps;

export interface CancelPaymentRequest {
  principal: RequestPrincipal;
  paymentId: string;
  requestId: string;
  /** As parseIdempotencyKey returns it. */
  idempotencyKey: string | null;
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
 * @throws Problem `payment-not-found`, `payment-not-cancelable`, `idempotency-key-reused`, `unavailable`
 */
export async function cancelPayment(
  deps: CancelPaymentDeps,
  request: CancelPaymentRequest,
): Promise<CancelPaymentResult> {
  const owner = ownerOfPrincipal(request.principal);
  const cancelKey = keyOf(request);
  return retryUntilConfirmed(async () => {
    const payment = await deps.store.find(owner, request.paymentId);
    // Read after the payment: the request that bound the key may have changed it in between.
    const bound = cancelKey && (await deps.store.findByCancelKey(owner, cancelKey.key));
    if (cancelKey && bound?.cancel_key) {
      assertSameRequest(bound.cancel_key, cancelKey);
      return resultOf(await untilConfirmed(deps, bound), request, { replayed: true });
    }
    if (!payment) throw paymentNotFound();
    const changed = await cancelOrRequest(deps, payment, request, cancelKey);
    return changed && resultOf(await untilConfirmed(deps, changed), request, { replayed: false });
  });
}

function keyOf({ idempotencyKey, paymentId, body }: CancelPaymentRequest): BoundKey | null {
  if (idempotencyKey === null) return null;
  return keyToBind(idempotencyKey, { method: 'POST', path: `/v1/payments/${paymentId}/cancel`, body });
}

/** The payment with the caller's cancellation or request for one; null when it changed since it was read. */
async function cancelOrRequest(
  deps: CancelPaymentDeps,
  payment: PaymentDocument,
  { principal, requestId, body }: CancelPaymentRequest,
  cancelKey: BoundKey | null,
): Promise<PaymentDocument | null> {
  if (!isCancelable(payment.status) || isCancellationRequested(payment)) return payment;
  return requestCancellation(deps, payment, {
    cause: causeOfPrincipal(principal),
    requestId,
    reason: body.cancellation_reason ?? null,
    cancelKey,
    leaseMs: LEASE_MS,
  });
}

/** A pending payment waits for its processor, which is asked here. */
async function untilConfirmed(deps: CancelPaymentDeps, payment: PaymentDocument): Promise<PaymentDocument> {
  return payment.status === 'pending' ? cancelAtProcessor(deps, payment) : payment;
}

function resultOf(
  payment: PaymentDocument,
  { requestId }: CancelPaymentRequest,
  { replayed }: { replayed: boolean },
): CancelPaymentResult {
  if (payment.status !== 'canceled' && payment.status !== 'pending') throw notCancelable(payment);
  // The request for a cancellation counts, rather than the processor's confirmation.
  const changedAt = changedAtBy(payment, ['payment.cancellation_requested', 'payment.canceled'], requestId);
  const version = newestEntry(payment, 'payment.canceled')?.version ?? payment.version;
  return { payment: paymentAtVersion(payment, version), replayed, changedAt };
}

function notCancelable({ status }: PaymentDocument): Problem {
  return new Problem(
    'payment-not-cancelable',
    `The payment is ${status}. Only pending payments can be canceled.`,
    {
      extensions: { payment_status: status },
    },
  );
}
