import {
  type Adapter,
  type CallbackSubject,
  defineAdapter,
  InvalidWebhook,
  type WebhookRequest,
} from '@tollgate/processor-adapter/adapter';
import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { type Clock, systemClock } from '@tollgate/runtime/clock';
import type Stripe from 'stripe';
import { createCheckoutPayments } from './checkout-payment.ts';
import type { StripeConfig } from './config.ts';
import { createDirectPayments } from './direct-payment.ts';
import { rejected } from './failure-codes.ts';
import { paymentIdIn } from './request-params.ts';
import { ask, createStripeClient, type StripeClient } from './stripe-client.ts';

/** The default of Stripe's library. Every attempt of Stripe to send an event has a new signature. */
const WEBHOOK_TOLERANCE_S = 300;

export function createStripeAdapter(config: StripeConfig, clock: Clock = systemClock): Adapter {
  const stripe = createStripeClient(config);
  const checkout = createCheckoutPayments(stripe);
  const direct = createDirectPayments(stripe, clock);
  const paymentsLike = ({ payment_method }: ProcessorPayment) =>
    payment_method === null ? checkout : direct;

  return defineAdapter({
    name: 'stripe',
    environment: config.environment,

    async start(payment, { signal }) {
      if (payment.payment_method !== null && !/^pm_\w+$/.test(payment.payment_method)) {
        throw rejected('payment_method_not_accepted');
      }
      return paymentsLike(payment).start(payment, signal);
    },

    status: (started, { signal }) => paymentsLike(started.payment).status(started, signal),
    cancel: (started, { signal }) => paymentsLike(started.payment).cancel(started, signal),

    verifyCallback: (webhook) => verifyEvent(stripe, config.webhookSecrets, webhook, clock.now()),

    readCallback(content, call) {
      const event = content as Stripe.Event;
      if (event.livemode !== (config.environment === 'live')) return null;
      const { object, metadata, payment_intent } = event.data.object as EventObject;
      if (object === 'checkout.session' || object === 'payment_intent') return subjectOf(metadata);
      const isReversal = object === 'refund' || object === 'dispute';
      if (!isReversal || typeof payment_intent !== 'string') return null;
      // Refunds and disputes do not have the metadata of their payment.
      return ask(call.signal, () => stripe.paymentIntents.retrieve(payment_intent)).then((intent) =>
        subjectOf(intent.metadata),
      );
    },
  });
}

/** What the adapter reads from the objects of events. */
interface EventObject {
  object?: string;
  metadata?: Stripe.Metadata | null;
  payment_intent?: string | object | null;
}

function subjectOf(metadata: Stripe.Metadata | null | undefined): CallbackSubject | null {
  const paymentId = paymentIdIn(metadata);
  return paymentId === null ? null : { paymentId };
}

function verifyEvent(
  stripe: StripeClient,
  secrets: readonly string[],
  { headers, body }: WebhookRequest,
  nowMs: number,
): Stripe.Event {
  const signature = String(headers['stripe-signature'] ?? '');
  for (const secret of secrets) {
    try {
      return stripe.webhooks.constructEvent(body, signature, secret, WEBHOOK_TOLERANCE_S, undefined, nowMs);
    } catch {
      // Another secret may match.
    }
  }
  throw new InvalidWebhook('No stripe-signature matches. Compare STRIPE_WEBHOOK_SECRET and the clock.');
}
