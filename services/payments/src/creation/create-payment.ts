import type { RequestPrincipal } from '@tollgate/contracts/applications/principal';
import type { CreatePaymentBody, Payment } from '@tollgate/contracts/payments/payment';
import type { Context } from '../context.ts';
import { assertSameRequest, keyToBind, requestIdAsKey } from '../idempotency/request-fingerprint.ts';
import {
  type BoundKey,
  causeOfPrincipal,
  changedAtBy,
  erasureOf,
  newPayment,
  type Party,
  type PaymentDocument,
} from '../lifecycle/payment.ts';
import { ownerOfPrincipal } from '../store/payment-owner.ts';
import { retryUntilConfirmed } from '../store/retry-until-confirmed.ts';
import { withFirstReply } from './first-reply.ts';
import { parsePayable } from './payment-rules.ts';

export interface CreatePaymentRequest {
  principal: RequestPrincipal;
  requestId: string;
  /** As parseIdempotencyKey returns it. */
  idempotencyKey: string | null;
  body: CreatePaymentBody;
  /** How long the caller waits for the first reply of the processor, in ms. */
  waitMs: number;
}

interface Creation {
  document: PaymentDocument;
  replayed: boolean;
  /** When this request created the payment; null when another one did. */
  changedAt: Date | null;
}

/**
 * Creates a payment in one insert, without a prior read, and waits for the first reply of its processor. A repeated idempotency key
 * returns the same payment in the same version. Without a key, the payment is bound to the request id, so that a replay of the signed
 * request creates nothing.
 *
 * @throws Problem `invalid-request` for the return URL or the payment method, `unsupported-currency`, `amount-out-of-range`, `card-data-not-allowed`, `idempotency-key-reused`, `unavailable`
 */
export async function createPayment(
  context: Context,
  request: CreatePaymentRequest,
): Promise<Omit<Creation, 'document'> & { payment: Payment }> {
  const { document, ...outcome } = await insertOnce(context, request);
  return { payment: await withFirstReply(context, document, request.waitMs), ...outcome };
}

async function insertOnce(context: Context, request: CreatePaymentRequest): Promise<Creation> {
  const payable = parsePayable(request.body, request.principal.environment);
  const owner = ownerOfPrincipal(request.principal);
  const createKey = keyToBind(request.idempotencyKey ?? requestIdAsKey(request.requestId), {
    method: 'POST',
    path: '/v1/payments',
    // As received, so that a repetition is the same request in every release.
    body: request.body,
  });
  return retryUntilConfirmed(async () => {
    const document = documentOf(context, { ...request, body: payable }, createKey);
    const created = await context.store.insert(document);
    if (created) {
      context.outbox.enqueueCreated(created);
      return { document: created, replayed: false, changedAt: created.created_at };
    }
    const bound = await context.store.findByCreateKey(owner, createKey.key);
    if (!bound) return null;
    assertRepeated(bound, bound.create_key, request.body, createKey);
    return {
      document: bound,
      replayed: true,
      // The key may be bound by this same request, if an earlier attempt's insert succeeded but its reply was lost.
      changedAt: changedAtBy(bound, ['payment.created'], request.requestId),
    };
  });
}

/** The request of an erased payment cannot be compared any more, except for what the payment keeps. */
function assertRepeated(
  bound: PaymentDocument,
  boundKey: BoundKey,
  { amount, currency }: CreatePaymentBody,
  createKey: BoundKey,
): void {
  const isSame = bound.amount === amount && bound.currency === currency.toUpperCase();
  if (!(erasureOf(bound) && isSame)) assertSameRequest(boundKey, createKey);
}

function documentOf(
  { chooseProcessor, paymentExpiryMs, clock }: Context,
  { principal, requestId, body }: CreatePaymentRequest,
  createKey: BoundKey,
): PaymentDocument {
  const createdAt = new Date(clock.now());
  const currency = body.currency.toUpperCase();
  const payment_method = body.payment_method ?? null;
  const owner = ownerOfPrincipal(principal);
  const processor = chooseProcessor({ ...owner, currency, payment_method });
  if (payment_method !== null) processor.assertMethod?.(payment_method);
  return newPayment({
    ...owner,
    amount: body.amount,
    currency,
    purpose: body.purpose ?? null,
    reference: body.reference ?? null,
    payer: partyOf(body.payer),
    payee: partyOf(body.payee),
    payment_method,
    metadata: body.metadata ? Object.entries(body.metadata).map(([key, value]) => ({ key, value })) : null,
    expires_at: new Date(createdAt.getTime() + paymentExpiryMs[principal.environment]),
    returnUrl: body.return_url ?? null,
    createdAt,
    cause: causeOfPrincipal(principal),
    requestId,
    processor: processor.name,
    dueAt: processor.firstDueAt({ payment_method, createdAt }),
    createKey,
  });
}

function partyOf(party: CreatePaymentBody['payer']): Party | null {
  if (!party) return null;
  return { name: party.name ?? null, account: party.account ?? null, email: party.email ?? null };
}
