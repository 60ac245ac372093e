import { newId } from '@tollgate/contracts/platform/ids';
import type { Adapter, StartedPayment } from '@tollgate/processor-adapter/adapter';
import type { ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { createFakeClock, type FakeClock } from '@tollgate/test-kit/fake-clock';
import { onTestFinished } from 'vitest';
import { readMollieConfig } from '../src/config.ts';
import { createMollieAdapter } from '../src/mollie-adapter.ts';
import { type MollieDouble, startMollieDouble } from './double/mollie-double.ts';

export const PAYMENT_ID = newId('payment');
const APPLICATION_ID = newId('application');
const MANDATE = 'cst_8wmqcHMN4U/mdt_h3gAaD5zP';

export function processorPayment(changes: Partial<ProcessorPayment> = {}): ProcessorPayment {
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
    expires_at: '2026-01-02T00:00:00.000Z',
    ...changes,
  };
}

/** What Mollie reports about `processorPayment` when it was paid. */
export const PAID_MONEY = { amount: 1999, currency: 'EUR', refunded_amount: 0, disputed_amount: 0 } as const;

export const recurringPayment = (changes: Partial<ProcessorPayment> = {}): ProcessorPayment =>
  processorPayment({ payment_method: MANDATE, return_url: null, ...changes });

export interface Setup {
  adapter: Adapter;
  mollie: MollieDouble;
  clock: FakeClock;
  /** Calls `start` as the runtime does, the first time at the start of the test. */
  start(payment: ProcessorPayment): ReturnType<Adapter['start']>;
  status(payment: ProcessorPayment, reference: string | null): ReturnType<Adapter['status']>;
  cancel(payment: ProcessorPayment, reference: string | null): ReturnType<Adapter['cancel']>;
}

/** The adapter and the double, for one test. */
export async function setUp(env: Record<string, string> = {}): Promise<Setup> {
  const clock = createFakeClock();
  const firstStartedAt = new Date(clock.now());
  const mollie = await startMollieDouble(clock);
  onTestFinished(() => mollie.close());
  const config = readMollieConfig({
    MOLLIE_API_KEY: mollie.apiKey,
    MOLLIE_API_URL: mollie.url,
    MOLLIE_WEBHOOK_URL: 'https://adapter.example/webhooks',
    ...env,
  });
  const adapter = createMollieAdapter(config, clock);
  const { signal } = new AbortController();
  const started = (payment: ProcessorPayment, reference: string | null): StartedPayment => ({
    payment,
    reference,
    firstStartedAt,
  });
  return {
    adapter,
    mollie,
    clock,
    start: (payment) => adapter.start(payment, { firstStartedAt, signal }),
    status: (payment, reference) => adapter.status(started(payment, reference), { signal }),
    cancel: (payment, reference) => adapter.cancel(started(payment, reference), { signal }),
  };
}
