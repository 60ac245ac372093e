import type { CancelPaymentBody, Payment } from '@tollgate/contracts/payment';
import type { Principal } from '@tollgate/contracts/principal';
import { Problem } from '@tollgate/contracts/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { assertSameRequest, keyToBind } from '../idempotency/request-fingerprint.ts';
import {
  type BoundKey,
  changedAtBy,
  isCancelable,
  type PaymentDocument,
  versionAfter,
} from '../lifecycle/payment.ts';
import { paymentAtVersion } from '../lifecycle/payment-at-version.ts';
import { paymentNotFound } from '../lifecycle/payment-not-found.ts';
import type { PaymentOutbox } from '../outbox/payment-outbox.ts';
import { ownerOfPrincipal, type PaymentStore } from '../store/payment-store.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';

export interface CancelPaymentDeps {
  store: PaymentStore;
  outbox: PaymentOutbox;
  clock: Clock;
}

export interface CancelPaymentRequest {
  principal: Principal;
  paymentId: string;
  requestId: string;
  /** As parseIdempotencyKey returns it. */
  idempotencyKey: string | null;
  body: CancelPaymentBody;
}

interface CancelPaymentResult {
  payment: Payment;
  replayed: boolean;
  /** When this request canceled the payment; null when it changed nothing. */
  changedAt: Date | null;
}

/**
 * Cancels a pending payment, and returns one that is already canceled unchanged. Only the request that canceled the
 * payment binds its key; repeating that request returns the payment as it was right after the cancellation.
 *
 * @throws Problem `payment-not-found`, `payment-not-cancelable`, `idempotency-key-reused`, `unavailable`
 */
export async function cancelPayment(
  deps: CancelPaymentDeps,
  request: CancelPaymentRequest,
): Promise<CancelPaymentResult> {
  const path = `/v1/payments/${request.paymentId}/cancel`;
  const cancelKey =
    request.idempotencyKey === null
      ? null
      : keyToBind(request.idempotencyKey, { method: 'POST', path, body: request.body });
  return retryUntilConfirmed(
    async () =>
      (await cancelPending(deps, request, cancelKey)) ??
      (await replay(deps, request, cancelKey)) ??
      (await returnUnchanged(deps, request)),
  );
}

async function cancelPending(
  { store, outbox, clock }: CancelPaymentDeps,
  { principal, paymentId, requestId, body }: CancelPaymentRequest,
  cancelKey: BoundKey | null,
): Promise<CancelPaymentResult | null> {
  const canceled = await store.transition(ownerOfPrincipal(principal), paymentId, {
    type: 'payment.canceled',
    at: new Date(clock.now()),
    cause: { type: 'key', id: principal.key_id },
    requestId,
    set: {
      cancellation_reason: body.cancellation_reason ?? null,
      ...(cancelKey && { cancel_key: cancelKey }),
    },
  });
  if (!canceled) return null;
  outbox.enqueueLatest(canceled);
  return { payment: paymentAtVersion(canceled), replayed: false, changedAt: canceled.updated_at };
}

async function replay(
  { store }: CancelPaymentDeps,
  { principal, requestId }: CancelPaymentRequest,
  cancelKey: BoundKey | null,
): Promise<CancelPaymentResult | null> {
  if (!cancelKey) return null;
  const bound = await store.findByCancelKey(ownerOfPrincipal(principal), cancelKey.key);
  if (!bound?.cancel_key) return null;
  assertSameRequest(bound.cancel_key, cancelKey);
  return {
    payment: paymentAtVersion(bound, versionAfter('payment.canceled')),
    replayed: true,
    changedAt: changedAtBy(bound, 'payment.canceled', requestId),
  };
}

/** The canceled payment. Null when it still reads as pending: another write to it is in flight. */
async function returnUnchanged(
  { store }: CancelPaymentDeps,
  { principal, paymentId, requestId }: CancelPaymentRequest,
): Promise<CancelPaymentResult | null> {
  const payment = await store.find(ownerOfPrincipal(principal), paymentId);
  if (!payment) throw paymentNotFound();
  if (payment.status === 'canceled') {
    const changedAt = changedAtBy(payment, 'payment.canceled', requestId);
    return { payment: paymentAtVersion(payment), replayed: false, changedAt };
  }
  if (isCancelable(payment.status)) return null;
  throw notCancelable(payment);
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
