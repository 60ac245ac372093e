import { expect, it } from 'vitest';
import { type TimelineStep, withReversals } from './with-reversals.ts';

function step(type: 'payment.succeeded' | 'payment.erased', at: string): TimelineStep {
  const by = { kind: 'processor', name: 'acme', href: null, note: null } as const;
  return { id: type, type, at, by, requestId: null, money: null };
}

it('the timeline places refunds and disputes between the transitions, by time', () => {
  const steps = [
    step('payment.succeeded', '2026-01-01T12:00:00.000Z'),
    step('payment.erased', '2026-01-03T12:00:00.000Z'),
  ];
  const at = '2026-01-02T12:00:00.000Z';
  const reversals = [
    { at, type: 'refund', amount: 250, currency: 'EUR' },
    { at, type: 'dispute', amount: 1_000, currency: 'EUR' },
  ] as const;

  const timeline = withReversals(steps, reversals, 'acme');

  expect(timeline.map(({ type, money }) => [type, money])).toEqual([
    ['payment.succeeded', null],
    ['refund', { amount: 250, currency: 'EUR' }],
    ['dispute', { amount: 1_000, currency: 'EUR' }],
    ['payment.erased', null],
  ]);
  expect(new Set(timeline.map(({ id }) => id)).size).toBe(4);
});
