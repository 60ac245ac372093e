import { HOUR_MS } from '@tollgate/contracts/platform/durations';
import type { StartedPayment } from '@tollgate/processor-adapter/adapter';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { Clock } from '@tollgate/runtime/clock';
import type Stripe from 'stripe';
import { createOnce } from './create-once.ts';
import { rejected, rejectionOf } from './failure-codes.ts';
import { CANCELED_AFTER_FAILURE, intentState } from './intent-state.ts';
import { confirmParams, intentParams, paymentIdIn, paymentQuery } from './request-params.ts';
import { reversalsOf } from './reversals.ts';
import {
  ask,
  isInvalidRequest,
  isStoredError,
  type StripeClient,
  StripeFailure,
  wasReplayed,
} from './stripe-client.ts';

/**
 * Stripe remembers an idempotency key for at least 24 hours. Older intents are found by search, which has every intent within
 * an hour of its creation (https://docs.stripe.com/search#data-freshness). Between these times, both find it.
 */
const SEARCH_AFTER_MS = 23 * HOUR_MS;

/**
 * Payments with a payment method. The intent is created first, which charges nothing, and confirmed second. A start with an
 * unknown outcome is resolved by the first request alone.
 */
export function createDirectPayments(stripe: StripeClient, clock: Clock) {
  async function start(payment: ProcessorPayment, signal: AbortSignal): Promise<PaymentState> {
    const intent = await findOrCreate(payment, signal);
    if (intent.status !== 'requires_confirmation') return settle(intent, signal);
    const params = confirmParams(payment);
    try {
      // Stripe also rejects this key for another intent, should there ever be two.
      const idempotencyKey = `${payment.id}:confirm`;
      return await settle(
        await ask(signal, () => stripe.paymentIntents.confirm(intent.id, params, { idempotencyKey })),
        signal,
      );
    } catch (error) {
      return afterFailedConfirmation(intent.id, error, signal);
    }
  }

  /**
   * A declined card is an error response, and so is a confirmation that Stripe does not accept. The intent has the outcome. One that
   * cannot be confirmed any more is canceled before its payment is rejected.
   */
  async function afterFailedConfirmation(
    id: string,
    error: unknown,
    signal: AbortSignal,
  ): Promise<PaymentState> {
    const isDecline = error instanceof StripeFailure && error.type === 'card_error';
    if (!isDecline && !isInvalidRequest(error) && !isStoredError(error)) throw error;
    const intent = await read(id, signal);
    if (intent.status !== 'requires_confirmation') return settle(intent, signal);
    const rejection = isStoredError(error)
      ? rejected('processing_error')
      : rejectionOf(error as StripeFailure);
    if (!rejection) throw error;
    const canceled = await cancelIntent(id, CANCELED_AFTER_FAILURE, signal);
    if (canceled.status !== 'canceled') return settle(canceled, signal);
    throw rejection;
  }

  async function status({ payment, reference }: StartedPayment, signal: AbortSignal): Promise<PaymentState> {
    if (reference === null) return settle(await findOrCreate(payment, signal), signal);
    const intent = ownIntent(await read(reference, signal), payment);
    return { ...(await settle(intent, signal)), ...(await reversalsOf(stripe, intent, signal)) };
  }

  async function cancel({ payment, reference }: StartedPayment, signal: AbortSignal): Promise<PaymentState> {
    const id = reference ?? (await findOrCreate(payment, signal)).id;
    return intentState(ownIntent(await cancelIntent(id, 'requested_by_customer', signal), payment), id);
  }

  /**
   * The intent of the payment as it is now. Creates one that is not confirmed if there is none.
   *
   * @throws PaymentRejected
   */
  async function findOrCreate(payment: ProcessorPayment, signal: AbortSignal): Promise<Stripe.PaymentIntent> {
    const params = intentParams(payment);
    if (clock.now() - Date.parse(payment.created_at) > SEARCH_AFTER_MS) {
      const query = paymentQuery(payment);
      const { data } = await ask(signal, () => stripe.paymentIntents.search({ query }));
      if (data[0]) return ownIntent(await read(data[0].id, signal), payment);
    }
    const created = await createOnce(signal, () =>
      stripe.paymentIntents.create(params, { idempotencyKey: payment.id }),
    );
    return ownIntent(wasReplayed(created) ? await read(created.id, signal) : created, payment);
  }

  /** After a failed attempt, the intent waits for another payment method. It gets none: it is canceled, so that it cannot charge. */
  async function settle(intent: Stripe.PaymentIntent, signal: AbortSignal): Promise<PaymentState> {
    if (intent.status !== 'requires_payment_method') return intentState(intent, intent.id);
    const canceled = await cancelIntent(intent.id, CANCELED_AFTER_FAILURE, signal);
    // An update can clear the error.
    const { last_payment_error } = canceled.last_payment_error ? canceled : intent;
    return intentState({ ...canceled, last_payment_error }, intent.id);
  }

  /** Returns the intent as it is, when it is too late. */
  async function cancelIntent(
    id: string,
    reason: Stripe.PaymentIntentCancelParams.CancellationReason,
    signal: AbortSignal,
  ): Promise<Stripe.PaymentIntent> {
    try {
      return await ask(signal, () => stripe.paymentIntents.cancel(id, { cancellation_reason: reason }));
    } catch (error) {
      if (!isInvalidRequest(error)) throw error;
      return read(id, signal);
    }
  }

  function read(id: string, signal: AbortSignal): Promise<Stripe.PaymentIntent> {
    return ask(signal, () => stripe.paymentIntents.retrieve(id));
  }

  return { start, status, cancel };
}

/** @throws Error for an intent that was created for another payment */
function ownIntent(intent: Stripe.PaymentIntent, payment: ProcessorPayment): Stripe.PaymentIntent {
  if (paymentIdIn(intent.metadata) === payment.id) return intent;
  throw new Error(`The intent ${intent.id} of Stripe belongs to another payment of Tollgate.`);
}
