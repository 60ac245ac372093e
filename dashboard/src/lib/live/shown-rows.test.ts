import { describe, expect, it } from 'vitest';
import type { LiveChange } from './live-change.ts';
import { changedRow, concernsRows, type Rows, type Subject } from './shown-rows.ts';

const delivery: LiveChange = {
  about: 'delivery',
  applicationId: 'app_1',
  deliveryId: 'dlv_1',
  endpointId: 'we_1',
  eventId: 'evt_1',
  paymentId: 'pay_1',
};
const endpoint: LiveChange = { about: 'endpoint', applicationId: 'app_1', endpointId: 'we_1' };
const payment: LiveChange = {
  about: 'payment',
  applicationId: 'app_1',
  eventId: 'evt_1',
  paymentId: 'pay_1',
};
const ROWS: Rows[] = ['deliveries', 'endpoints', 'events'];

it.each(ROWS)('a page without a filter reloads its %s when a delivery or an endpoint changes', (rows) => {
  expect(concernsRows(rows, {}, delivery)).toBe(true);
  expect(concernsRows(rows, {}, endpoint)).toBe(true);
});

it('a page without a filter reloads on a payment event only when its rows are events', () => {
  expect(ROWS.filter((rows) => concernsRows(rows, {}, payment))).toEqual(['events']);
});

it('a page of payments reloads when a payment changes, and the overview on every change', () => {
  const reloads = (rows: Rows) =>
    [delivery, endpoint, payment].map((change) => concernsRows(rows, {}, change));
  expect(reloads('payments')).toEqual([false, false, true]);
  expect(reloads('overview')).toEqual([true, true, true]);
  expect(concernsRows('payments', { paymentId: 'pay_2' }, payment)).toBe(false);
  expect(changedRow('overview', delivery)).toBeNull();
  expect(changedRow('payments', payment)).toBe('pay_1');
});

it('a page that currently shows no webhook data never reloads', () => {
  for (const rows of ROWS)
    for (const change of [delivery, endpoint, payment]) expect(concernsRows(rows, null, change)).toBe(false);
});

describe('a page with a filter', () => {
  const others: Subject[] = [
    { applicationId: 'app_2' },
    { endpointId: 'we_2' },
    { deliveryId: 'dlv_2' },
    { eventId: 'evt_2' },
    { paymentId: 'pay_2' },
    { endpointId: 'we_1', paymentId: 'pay_2' },
  ];

  it.each(others)('a page with a filter ignores a delivery that does not match %j', (filter) => {
    expect(concernsRows('deliveries', filter, delivery)).toBe(false);
  });

  it('a page with a filter reloads when a matching delivery changes', () => {
    const { about: _, ...ids } = delivery;
    expect(concernsRows('deliveries', ids, delivery)).toBe(true);
    for (const [name, id] of Object.entries(ids))
      expect(concernsRows('deliveries', { [name]: id }, delivery)).toBe(true);
  });

  it('a page with a filter reloads when an endpoint changes, except another endpoint or one of another application', () => {
    for (const filter of [{ deliveryId: 'dlv_2' }, { eventId: 'evt_2' }, { paymentId: 'pay_2' }])
      expect(concernsRows('deliveries', filter, endpoint)).toBe(true);
    expect(concernsRows('deliveries', { endpointId: 'we_2' }, endpoint)).toBe(false);
    expect(concernsRows('deliveries', { applicationId: 'app_2' }, endpoint)).toBe(false);
  });

  it('a page with a filter reloads on events of its payment only', () => {
    expect(concernsRows('events', { paymentId: 'pay_1' }, payment)).toBe(true);
    expect(concernsRows('events', { paymentId: 'pay_2' }, payment)).toBe(false);
    expect(concernsRows('events', { eventId: 'evt_2' }, payment)).toBe(false);
  });
});

it('the changed row is the delivery, the endpoint or the event that the update names', () => {
  const rowsOf = (change: LiveChange) => ROWS.map((rows) => changedRow(rows, change));
  expect(rowsOf(delivery)).toEqual(['dlv_1', null, 'evt_1']);
  expect(rowsOf(endpoint)).toEqual([null, 'we_1', null]);
  expect(rowsOf(payment)).toEqual([null, null, 'evt_1']);
});
