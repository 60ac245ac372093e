import { describe, expect, test } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import { newHistoryEntry, type PaymentDocument } from '../lifecycle/payment.ts';
import { manualProcessor } from './manual-processor.ts';
import { createSandboxProcessor, PROCESSING_MS } from './sandbox/sandbox-processor.ts';

const startedAt = new Date('2026-01-01T00:00:00Z');
const sandbox = createSandboxProcessor({
  settlementDelayMs: 5_000,
  pageUrlOf: (paymentId) => `https://sandbox.example/${paymentId}`,
});

function processing(payment_method: string | null): PaymentDocument {
  const payment = aNewPayment({ payment_method });
  payment.history.push(
    newHistoryEntry({
      type: 'payment.processing',
      version: 2,
      occurredAt: startedAt,
      cause: { type: 'processor', id: 'sandbox' },
      requestId: null,
    }),
  );
  return payment;
}

describe('the sandbox processor', () => {
  test.each([
    [null, 'succeeded'],
    ['pm_succeed', 'succeeded'],
    ['tok_of_a_real_processor', 'succeeded'],
    ['toString', 'succeeded'],
    ['pm_decline', 'failed'],
    ['pm_insufficient_funds', 'failed'],
  ])('settles %s as %s', async (payment_method, status) => {
    expect(await sandbox.start(aNewPayment({ payment_method }), startedAt)).toMatchObject({
      status: 'processing',
      askAgainAt: startedAt,
    });
    expect(await sandbox.status(processing(payment_method), startedAt)).toMatchObject({ status });
  });

  test('claims payments after the configured delay, and never claims pm_hold', () => {
    const due = new Date(startedAt.getTime() + 5_000);
    expect(sandbox.firstDueAt({ payment_method: null, createdAt: startedAt })).toEqual(due);
    expect(sandbox.firstDueAt({ payment_method: 'pm_hold', createdAt: startedAt })).toBeNull();
  });

  test('keeps pm_slow in processing for a minute, then lets it succeed', async () => {
    const end = new Date(startedAt.getTime() + (PROCESSING_MS['pm_slow'] as number));
    const payment = processing('pm_slow');
    expect(await sandbox.start(aNewPayment({ payment_method: 'pm_slow' }), startedAt)).toMatchObject({
      status: 'processing',
      askAgainAt: end,
    });
    expect(await sandbox.status(payment, new Date(end.getTime() - 1))).toMatchObject({
      status: 'processing',
      askAgainAt: end,
    });
    expect(await sandbox.status(payment, end)).toMatchObject({ status: 'succeeded' });
  });
});

describe('the manual processor', () => {
  test('starts and decides nothing by itself', async () => {
    expect(manualProcessor.firstDueAt({ payment_method: null, createdAt: startedAt })).toBeNull();
    const payment = processing(null);
    await expect(manualProcessor.start(payment, startedAt)).rejects.toThrow('no recorded outcome');
  });
});
