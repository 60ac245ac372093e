import { PAYMENT_STATUSES, Payment, type PaymentStatus } from '@tollgate/contracts/payment';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { aNewPayment } from '../../test/a-new-payment.ts';
import { paymentEvent } from '../outbox/payment-event.ts';
import {
  newHistoryEntry,
  type PaymentDocument,
  TRANSITIONS,
  type TransitionType,
  versionAfter,
} from './payment.ts';
import { paymentAtVersion } from './payment-at-version.ts';

const createdAt = new Date('2026-01-01T00:00:00.000Z');

/** The document after a transition, as the store's update leaves it. */
function after(
  document: PaymentDocument,
  type: TransitionType,
  set: Partial<PaymentDocument> = {},
): PaymentDocument {
  const at = new Date(document.updated_at.getTime() + 1_000);
  const entry = newHistoryEntry({
    type,
    version: versionAfter(type),
    occurredAt: at,
    cause: { type: 'processor', id: 'sandbox' },
    requestId: null,
  });
  return {
    ...document,
    ...set,
    status: TRANSITIONS[type].to,
    version: document.version + 1,
    updated_at: at,
    history: [...document.history, entry],
  };
}

describe('the states of a payment', () => {
  test('are reached from pending by exactly one path each, and end in succeeded, failed, or canceled', () => {
    const ways = new Map<PaymentStatus, PaymentStatus[]>(PAYMENT_STATUSES.map((status) => [status, []]));
    for (const { from, to } of Object.values(TRANSITIONS)) ways.get(from)?.push(to);
    expect(Object.fromEntries(ways)).toEqual({
      pending: ['processing', 'canceled'],
      processing: ['succeeded', 'failed'],
      succeeded: [],
      failed: [],
      canceled: [],
    });
  });

  test('have one version each, one higher than the state before', () => {
    expect(versionAfter('payment.processing')).toBe(2);
    expect(versionAfter('payment.canceled')).toBe(2);
    expect(versionAfter('payment.succeeded')).toBe(3);
    expect(versionAfter('payment.failed')).toBe(3);
  });
});

describe('a payment', () => {
  const created = aNewPayment({ createdAt });
  const processing = after(created, 'payment.processing');
  const failed = after(processing, 'payment.failed', { failure: { code: 'declined', message: 'No.' } });
  const canceled = after(created, 'payment.canceled', { cancellation_reason: 'duplicate' });

  test('always shows every field', () => {
    const schema = Compile(Payment);
    for (const document of [created, processing, failed, canceled]) {
      expect(schema.Errors(paymentAtVersion(document))).toEqual([]);
    }
  });

  test('shows the state at each version, regardless of later changes', () => {
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

  test('is cancelable only while pending', () => {
    const cancelable = [created, processing, failed, canceled].map(
      (document) => paymentAtVersion(document).cancelable,
    );
    expect(cancelable).toEqual([true, false, false, false]);
  });

  test('keeps metadata keys that are not valid BSON element names', () => {
    const metadata = [
      { key: 'a.b', value: '1' },
      { key: '$set', value: '2' },
      { key: 'nul\0', value: '3' },
      { key: 'constructor', value: '4' },
    ];
    const shown = paymentAtVersion(aNewPayment({ metadata })).metadata;
    expect(Object.entries(shown ?? {})).toEqual(metadata.map(({ key, value }) => [key, value]));
  });

  test('with a missing version is never shown', () => {
    expect(() => paymentAtVersion(created, 2)).toThrow('no version 2');
    expect(() => paymentAtVersion({ ...failed, history: failed.history.slice(1) })).toThrow(
      'one entry per version',
    );
  });

  test('has one event per version, with the payment as it was', () => {
    const events = failed.history.map((entry) => paymentEvent(failed, entry));
    expect(events.map(({ type, data }) => [type, data.status, data.version])).toEqual([
      ['payment.created', 'pending', 1],
      ['payment.processing', 'processing', 2],
      ['payment.failed', 'failed', 3],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(3);
  });
});
