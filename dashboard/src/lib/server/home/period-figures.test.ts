import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import { expect, it } from 'vitest';
import { failureReasons, latencyFigure, periodFigures, volumes } from './period-figures.ts';
import type { ApiLatency } from './read-api-health.ts';

const bucket = { payments: 0, succeeded: 0, failed: 0, succeeded_amount: 0 };
const summary = {
  statuses: { pending: 1, processing: 2, succeeded: 6, failed: 2, canceled: 4 },
  currencies: [
    { currency: 'EUR', payments: 15, succeeded_amount: 2_000 },
    { currency: 'JPY', payments: 2, succeeded_amount: 500 },
  ],
  currency: 'EUR',
  buckets: [
    { ...bucket, payments: 7, succeeded: 1, failed: 1, succeeded_amount: 1_000 },
    { ...bucket, payments: 8, succeeded: 5, failed: 1, succeeded_amount: 2_000 },
  ],
  failures: [
    { code: 'declined', payments: 4 },
    { code: 'expired_card', payments: 1 },
  ],
  previous: {
    statuses: { pending: 0, processing: 0, succeeded: 3, failed: 3, canceled: 4 },
    currencies: [{ currency: 'EUR', payments: 10, succeeded_amount: 1_000 }],
  },
} as unknown as PaymentSummary;
const latency = { p95Ms: 120, previousP95Ms: 100, trend: [80, null, 120] };

const said = (of: PaymentSummary, at: ApiLatency | null) =>
  [...periodFigures(of), latencyFigure(at)].map(({ label, value, unit, note }) => [
    label,
    [value, unit].join(' ').trim(),
    note,
  ]);

it('the figures of a period compare volume, success rate, payments, and latency with the period before', () => {
  expect(said(summary, latency)).toEqual([
    ['Volume', '20.00 EUR', '+100% · previously 10.00'],
    ['Success rate', '75%', '+25 points · previously 50%'],
    ['Payments', '15', '+50% · previously 10'],
    ['API latency, p95', '120 ms', '+20% · previously 100 ms'],
  ]);
});

it('the figures of a period are not compared when the period before is unknown', () => {
  expect(said({ ...summary, previous: null }, null)).toEqual([
    ['Volume', '20.00 EUR', ''],
    ['Success rate', '75%', ''],
    ['Payments', '15', ''],
    ['API latency, p95', '–', ''],
  ]);
});

it('the figures of a period have no volume and no success rate without payments', () => {
  const none = { ...summary, statuses: {}, currencies: [], currency: null, buckets: [], previous: null };
  expect(said(none as unknown as PaymentSummary, null).slice(0, 3)).toEqual([
    ['Volume', '–', 'Succeeded payments'],
    ['Success rate', '–', ''],
    ['Payments', '0', ''],
  ]);
});

it('the figures of a period show a volume of zero for a currency without succeeded payments', () => {
  expect(said({ ...summary, currency: 'KWD' }, null)[0]?.[1]).toBe('0.000 KWD');
});

it('the figures of a period have a trend by hour or day', () => {
  const ends = [...periodFigures(summary), latencyFigure(latency)].map(({ trend }) =>
    [...trend.matchAll(/[ML][\d.]+,([\d.]+)/g)].map(([, y]) => Math.round(Number(y))),
  );
  expect(ends).toEqual([
    [50, 0],
    [40, 0],
    [13, 0],
    [33, 0],
  ]);
});

it('the volume of each currency is compared with the period before, if that had one', () => {
  expect(volumes(summary)).toEqual([
    { currency: 'EUR', amount: 2_000, change: '+100%' },
    { currency: 'JPY', amount: 500, change: '' },
  ]);
});

it('failure reasons are shown as shares of the most frequent one', () => {
  expect(failureReasons(summary)).toEqual([
    { code: 'declined', payments: 4, sharePercent: 100 },
    { code: 'expired_card', payments: 1, sharePercent: 25 },
  ]);
});
