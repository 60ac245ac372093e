import { PAYMENT_STATUSES, Payment, type PaymentStatus } from '@tollgate/contracts/payments/payment';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import { paymentEvent } from '../outbox/payment-event.ts';
import { type HistoryEntry, newHistoryEntry, type PaymentDocument } from './payment.ts';
import { paymentAtVersion } from './payment-at-version.ts';
import { isFinal, statusAfter, TRANSITIONS, type TransitionType } from './transitions.ts';

const createdAt = new Date('2026-01-01T00:00:00.000Z');

/** The document after a transition, as the store's update leaves it. */
function after(
  document: PaymentDocument,
  type: TransitionType,
  set: Partial<PaymentDocument> = {},
  said: Partial<HistoryEntry> = {},
): PaymentDocument {
  const at = new Date(document.updated_at.getTime() + 1_000);
  const entry = newHistoryEntry({
    type,
    version: document.version + 1,
    occurredAt: at,
    cause: { type: 'processor', id: 'sandbox' },
    requestId: null,
  });
  return {
    ...document,
    ...set,
    status: statusAfter(type),
    version: document.version + 1,
    updated_at: at,
    history: [...document.history, { ...entry, ...said }],
  };
}

test('the states of a payment never lead back: a payment that is processing is not pending again, and a final one does not change', () => {
  const ways = Object.values(TRANSITIONS).flatMap(({ from, to }) => from.map((status) => [status, to]));
  const reached = (status: PaymentStatus) => ways.filter(([from]) => from === status).map(([, to]) => to);
  expect(new Set(reached('pending'))).toEqual(
    new Set(['pending', 'processing', 'succeeded', 'failed', 'canceled']),
  );
  expect(new Set(reached('processing'))).toEqual(new Set(['succeeded', 'failed']));
  expect(PAYMENT_STATUSES.filter(isFinal)).toEqual(['succeeded', 'failed', 'canceled']);
});

describe('a payment', () => {
  const created = aNewPayment({ createdAt });
  const processing = after(created, 'payment.processing');
  const failed = after(processing, 'payment.failed', { failure: { code: 'declined', message: 'No.' } });
  const canceled = after(created, 'payment.canceled', { cancellation_reason: 'duplicate' });
  const action = { type: 'redirect', url: 'https://pay.example/1' } as const;
  const said = { next_action: action, processor_reference: 'cs_1' };
  const waiting = after(created, 'payment.action_required', {}, said);
  const requested = after(waiting, 'payment.cancellation_requested', { cancellation_reason: 'duplicate' });
  const paid = after(requested, 'payment.succeeded');

  test('a payment always shows every field', () => {
    const schema = Compile(Payment);
    for (const document of [created, processing, failed, canceled, waiting, requested, paid]) {
      expect(schema.Errors(paymentAtVersion(document))).toEqual([]);
    }
  });

  test('a payment shows the state at each version, regardless of later changes', () => {
    expect(paymentAtVersion(failed, 1)).toEqual(paymentAtVersion(created));
    expect(paymentAtVersion(failed, 2)).toEqual(paymentAtVersion(processing));
    expect(paymentAtVersion(canceled, 1)).toEqual(paymentAtVersion(created));
    expect(paymentAtVersion(failed)).toMatchObject({
      status: 'failed',
      version: 3,
      failure: { code: 'declined' },
      failed_at: '2026-01-01T00:00:02.000Z',
      updated_at: '2026-01-01T00:00:02.000Z',
    });
  });

  test('a payment shows what the payer must do until it is not pending any more, and the reference from then on', () => {
    expect(paymentAtVersion(created)).toMatchObject({ next_action: null, processor_reference: null });
    expect(paymentAtVersion(waiting)).toMatchObject({ next_action: action, processor_reference: 'cs_1' });
    expect(paymentAtVersion(paid)).toMatchObject({ next_action: null, processor_reference: 'cs_1' });
    expect(paymentAtVersion(paid, 1)).toMatchObject({ next_action: null, processor_reference: null });
  });

  test('a payment shows a requested cancellation, whose reason counts only if the payment is canceled', () => {
    expect(paymentAtVersion(requested)).toMatchObject({
      status: 'pending',
      cancelable: true,
      next_action: action,
      cancellation_reason: null,
      cancellation_requested_at: '2026-01-01T00:00:02.000Z',
    });
    expect(paymentAtVersion(paid).cancellation_reason).toBeNull();
    expect(paymentAtVersion(after(requested, 'payment.canceled')).cancellation_reason).toBe('duplicate');
  });

  test('a payment is cancelable only while pending', () => {
    const cancelable = [created, processing, failed, canceled].map(
      (document) => paymentAtVersion(document).cancelable,
    );
    expect(cancelable).toEqual([true, false, false, false]);
  });

  test('a payment keeps metadata keys that are not valid BSON element names', () => {
    const metadata = [
      { key: 'a.b', value: '1' },
      { key: '$set', value: '2' },
      { key: 'nul\0', value: '3' },
      { key: 'constructor', value: '4' },
    ];
    const shown = paymentAtVersion(aNewPayment({ metadata })).metadata;
    expect(Object.entries(shown ?? {})).toEqual(metadata.map(({ key, value }) => [key, value]));
  });

  test('a payment with a missing version is never shown', () => {
    expect(() => paymentAtVersion(created, 2)).toThrow('no version 2');
    expect(() => paymentAtVersion({ ...failed, history: failed.history.slice(1) })).toThrow(
      'one entry per version',
    );
  });

  test('a payment has one event per version, with the payment as it was', () => {
    const events = failed.history.map((entry) => paymentEvent(failed, entry));
    expect(events.map(({ type, data }) => [type, data.status, data.version])).toEqual([
      ['payment.created', 'pending', 1],
      ['payment.processing', 'processing', 2],
      ['payment.failed', 'failed', 3],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });
});
