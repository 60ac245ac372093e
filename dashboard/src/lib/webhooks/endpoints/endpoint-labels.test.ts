import { expect, it } from 'vitest';
import {
  confirmationFor,
  eventTypesLabel,
  minuteLabel,
  queuedLabel,
  recoveryLabel,
  retriesLabel,
} from './endpoint-labels.ts';

it('an endpoint label summarizes event types without listing many', () => {
  expect(eventTypesLabel(['a', 'b'], 2)).toBe('All events');
  expect(eventTypesLabel(['*'], 2)).toBe('All events');
  expect(eventTypesLabel(['payment.failed'], 5)).toBe('payment.failed');
  expect(eventTypesLabel(['a', 'b', 'c'], 5)).toBe('3 of 5 events');
});

it('an endpoint label states the number of queued deliveries', () => {
  expect([0, 1, 1200].map((count) => queuedLabel(count, 'It has missed nothing.'))).toEqual([
    'It has missed nothing.',
    '1 delivery queued.',
    '1,200 deliveries queued.',
  ]);
});

it('an endpoint label says how many deliveries or events a recovery will send, or at least how many', () => {
  const labels = [
    recoveryLabel('failed', { count: 0, at_least: false }),
    recoveryLabel('failed', { count: 1, at_least: false }),
    recoveryLabel('missing', { count: 1000, at_least: true }),
  ];
  expect(labels).toEqual([
    'No deliveries failed since then.',
    '1 delivery will be sent.',
    'At least 1,000 events will be sent.',
  ]);
});

it('an endpoint label mentions automatic retries only when deliveries are pending', () => {
  expect(retriesLabel(0)).toBe('No deliveries are waiting to be retried.');
  for (const pending of [2, null]) expect(retriesLabel(pending)).toMatch(/retried automatically/);
});

it('an endpoint label formats a minute like other times, and keeps other text unchanged', () => {
  expect(minuteLabel('2026-11-21T07:15')).toBe('21 Nov 2026, 07:15');
  for (const text of ['soon', '2026-13-41T07:15']) expect(minuteLabel(text)).toBe(text);
});

it('an endpoint label hides that deliveries were queued once the endpoint is disabled', () => {
  const recovered = { recover: '1 delivery queued.', replay: undefined, disable: undefined };
  expect(confirmationFor('enabled', recovered)).toBe('1 delivery queued.');
  expect(confirmationFor('disabled', recovered)).toBeUndefined();
});
