import { newId } from '@tollgate/contracts/platform/ids';
import type { StartedPayment } from '@tollgate/processor-adapter/adapter';
import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { onTestFinished } from 'vitest';
import { readStripeConfig } from '../src/config.ts';
import { createStripeAdapter } from '../src/stripe-adapter.ts';
import { startStripeDouble } from './double/stripe-double.ts';

export const PAYMENT_ID = newId('payment');
const APPLICATION_ID = newId('application');

/** A payment whose payer chooses how to pay. */
export function checkoutPayment(changes: Partial<ProcessorPayment> = {}): ProcessorPayment {
  return {
    id: PAYMENT_ID,
    application_id: APPLICATION_ID,
    environment: 'sandbox',
    amount: 1999,
    currency: 'EUR',
    purpose: 'Order 66',
    reference: null,
    payer: null,
    payee: null,
    payment_method: null,
    metadata: null,
    return_url: 'https://shop.example/return',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T01:00:00.000Z',
    ...changes,
  };
}

export function cardPayment(changes: Partial<ProcessorPayment> = {}): ProcessorPayment {
  return checkoutPayment({ payment_method: 'pm_card_visa', return_url: null, ...changes });
}

/** The adapter and the double, for one test. */
export async function setUp() {
  const clock = createFakeClock();
  const stripe = await startStripeDouble(clock);
  onTestFinished(() => stripe.close());
  const config = readStripeConfig({
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: `whsec_anotherSecret00, ${stripe.webhookSecret}`,
    STRIPE_API_URL: stripe.url,
  });
  const adapter = createStripeAdapter(config, clock);
  const firstStartedAt = new Date(clock.now());
  const { signal } = new AbortController();
  const started = (payment: ProcessorPayment, reference: string | null): StartedPayment => ({
    payment,
    reference,
    firstStartedAt,
  });
  return {
    adapter,
    stripe,
    clock,
    start: (payment: ProcessorPayment) => adapter.start(payment, { firstStartedAt, signal }),
    status: (payment: ProcessorPayment, reference: string | null) =>
      adapter.status(started(payment, reference), { signal }),
    cancel: (payment: ProcessorPayment, reference: string | null) =>
      adapter.cancel(started(payment, reference), { signal }),
    /** Method and path of the requests so far. */
    lines: () => stripe.requests.map(({ line }) => line),
  };
}
