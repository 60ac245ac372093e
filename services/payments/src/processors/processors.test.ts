import { expect, test } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import { newHistoryEntry, type PaymentDocument } from '../lifecycle/payment.ts';
import { manualProcessor } from './manual-processor.ts';
import { createSandboxProcessor, DOWN_MS, processingMsOf } from './sandbox/sandbox-processor.ts';

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
  return { ...payment, status: 'processing' };
}

test.each([
  [null, 'succeeded'],
  ['pm_succeed', 'succeeded'],
  ['tok_of_a_real_processor', 'succeeded'],
  ['toString', 'succeeded'],
  ['pm_decline', 'failed'],
  ['pm_insufficient_funds', 'failed'],
])('the sandbox processor settles %s as %s', async (payment_method, status) => {
  expect(await sandbox.start(aNewPayment({ payment_method }), startedAt)).toMatchObject({
    status: 'processing',
    askAgainAt: startedAt,
  });
  expect(await sandbox.status(processing(payment_method), startedAt)).toMatchObject({ status });
});

test('the sandbox processor accepts its test values and any value without their prefix, and lists them when one is mistyped', () => {
  for (const accepted of ['pm_decline', 'tok_of_a_real_processor', 'toString']) {
    expect(() => sandbox.assertMethod?.(accepted)).not.toThrow();
  }
  for (const mistyped of ['pm_declined', 'pm_', 'pm_toString']) {
    expect(() => sandbox.assertMethod?.(mistyped)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({
          code: 'invalid-request',
          errors: [
            {
              pointer: '/payment_method',
              code: 'invalid',
              detail: expect.stringContaining('pm_succeed, pm_decline'),
            },
          ],
        }),
      }),
    );
  }
});

test('the sandbox processor claims payments after the configured delay, and never claims pm_hold', () => {
  const due = new Date(startedAt.getTime() + 5_000);
  expect(sandbox.firstDueAt({ payment_method: null, createdAt: startedAt })).toEqual(due);
  expect(sandbox.firstDueAt({ payment_method: 'pm_hold', createdAt: startedAt })).toBeNull();
});

test('the sandbox processor fails pm_fail_after_processing ten seconds after it started processing', async () => {
  const payment = processing('pm_fail_after_processing');
  expect(await sandbox.status(payment, new Date(startedAt.getTime() + 9_999))).toMatchObject({
    status: 'processing',
  });
  expect(await sandbox.status(payment, new Date(startedAt.getTime() + 10_000))).toMatchObject({
    status: 'failed',
    failure: { code: 'processing_error' },
  });
});

test('the sandbox processor is unreachable for pm_processor_down for half a minute', async () => {
  const payment = aNewPayment({ payment_method: 'pm_processor_down', createdAt: startedAt });
  const back = new Date(startedAt.getTime() + DOWN_MS);
  await expect(sandbox.start(payment, new Date(back.getTime() - 1))).rejects.toThrow('unreachable');
  expect(await sandbox.start(payment, back)).toMatchObject({ status: 'processing' });
});

test.each(['pm_redirect', 'pm_late_callback', 'pm_duplicate_callback'])(
  'the sandbox processor sends the payer of %s to the test page at once',
  async (payment_method) => {
    const payment = aNewPayment({ payment_method, createdAt: startedAt });
    expect(sandbox.firstDueAt({ payment_method, createdAt: startedAt })).toEqual(startedAt);
    expect(await sandbox.start(payment, startedAt)).toMatchObject({
      status: 'action_required',
      next_action: { type: 'redirect', url: `https://sandbox.example/${payment._id}` },
    });
  },
);

test('the sandbox processor keeps pm_slow in processing for a minute, then lets it succeed', async () => {
  const end = new Date(startedAt.getTime() + processingMsOf('pm_slow'));
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

test('the manual processor starts and decides nothing by itself', async () => {
  expect(manualProcessor.firstDueAt({ payment_method: null, createdAt: startedAt })).toBeNull();
  const payment = processing(null);
  await expect(manualProcessor.start(payment, startedAt)).rejects.toThrow('no recorded outcome');
});
