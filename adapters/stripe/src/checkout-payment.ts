import type { StartedPayment } from '@tollgate/processor-adapter/adapter';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type Stripe from 'stripe';
import { createOnce } from './create-once.ts';
import { intentState } from './intent-state.ts';
import { paymentIdIn, sessionParams } from './request-params.ts';
import { reversalsOf } from './reversals.ts';
import { ask, isInvalidRequest, type StripeClient, wasReplayed } from './stripe-client.ts';

/** Payments without a payment method: the payer chooses one on Stripe's page, a Checkout Session. */
export function createCheckoutPayments(stripe: StripeClient) {
  /**
   * Also for a start with an unknown outcome: the session of the first request is returned, or a new one. Nobody knows the address of
   * a session that was never returned, so that nobody can pay it.
   */
  async function start(payment: ProcessorPayment, signal: AbortSignal): Promise<PaymentState> {
    const params = sessionParams(payment);
    const session = await createOnce(signal, () =>
      stripe.checkout.sessions.create(params, { idempotencyKey: payment.id }),
    );
    return sessionState(wasReplayed(session) ? await read(session.id, signal) : session, payment);
  }

  async function status({ payment, reference }: StartedPayment, signal: AbortSignal): Promise<PaymentState> {
    if (reference === null) return start(payment, signal);
    const session = await read(reference, signal);
    const intent = intentOf(session);
    return {
      ...sessionState(session, payment),
      ...(intent && (await reversalsOf(stripe, intent, signal))),
    };
  }

  /** Stripe decides whether the payer or the cancellation was first. */
  async function cancel(started: StartedPayment, signal: AbortSignal): Promise<PaymentState> {
    const reference = started.reference ?? (await start(started.payment, signal)).reference;
    const id = reference as string;
    try {
      await ask(signal, () => stripe.checkout.sessions.expire(id));
    } catch (error) {
      if (!isInvalidRequest(error)) throw error;
    }
    return sessionState(await read(id, signal), started.payment);
  }

  function read(id: string, signal: AbortSignal): Promise<Stripe.Checkout.Session> {
    return ask(signal, () => stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }));
  }

  return { start, status, cancel };
}

/**
 * A declined attempt leaves the session open: the payer can try again. A complete session can still wait for a bank.
 *
 * @throws Error for a session that says nothing about the money
 */
function sessionState(session: Stripe.Checkout.Session, payment: ProcessorPayment): PaymentState {
  const { id: reference, status, payment_status, url } = session;
  if (paymentIdIn(session.metadata) !== payment.id)
    throw new Error(`The session ${reference} of Stripe belongs to another payment of Tollgate.`);
  if (status === 'open' && url)
    return { status: 'action_required', reference, next_action: { type: 'redirect', url } };
  const intent = intentOf(session);
  if (status === 'complete' && intent) return intentState(intent, reference);
  if (status === 'expired') return expiredState(intent, reference);
  throw new Error(
    `The session ${reference} has the status ${status} and ${payment_status}, which the adapter does not know.`,
  );
}

/** Null until the payer confirms, and in a session that was not read for its intent. */
function intentOf({ payment_intent }: Stripe.Checkout.Session): Stripe.PaymentIntent | null {
  return typeof payment_intent === 'object' ? payment_intent : null;
}

/** Stripe cancels the intent of an expired session. One that was being confirmed at that moment decides. */
function expiredState(intent: Stripe.PaymentIntent | null, reference: string): PaymentState {
  const cannotCharge = intent === null || ['requires_payment_method', 'canceled'].includes(intent.status);
  return cannotCharge ? { status: 'canceled', reference } : intentState(intent, reference);
}
