import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import { expect, it } from 'vitest';
import { formatValue } from '#lib/charts/format-value.ts';
import { volumeChart } from './volume-chart.ts';

function summary(amounts: number[], more: Partial<PaymentSummary> = {}): PaymentSummary {
  const from = Date.parse('2026-11-20T13:00:00.000Z');
  return {
    environment: 'live',
    period: '24h',
    from: new Date(from).toISOString(),
    to: new Date(from + 24 * 3_600_000).toISOString(),
    counted_from: new Date(from).toISOString(),
    statuses: { pending: 0, processing: 0, succeeded: 0, failed: 0, canceled: 0 },
    currencies: [],
    failures: [],
    previous: null,
    currency: 'EUR',
    buckets: amounts.map((succeeded_amount, index) => ({
      at: new Date(from + index * 3_600_000).toISOString(),
      payments: 3,
      succeeded: 2,
      failed: 1,
      succeeded_amount,
    })),
    ...more,
  };
}

const chartOf = (amounts: number[], more?: Partial<PaymentSummary>, timeZone = 'UTC') =>
  volumeChart(summary(amounts, more), { timeZone, nowMs: Date.parse('2026-11-22T00:00:00Z') });
const lines = (amounts: number[], more?: Partial<PaymentSummary>) => chartOf(amounts, more)?.gridLines;
const heights = (amounts: number[]) =>
  [...(chartOf(amounts)?.svg.matchAll(/h[\d.]+v([\d.]+)/g) ?? [])].map(([, height]) => Number(height));

it('the volume chart scales columns to the highest grid line', () => {
  expect(heights([0, 50_000, 100_000])).toEqual([50, 100]);
  expect(lines([0, 50_000, 100_000])).toEqual(['0', '250', '500', '750', '1K']);
});

it('the volume chart has grid lines at round major units for every currency exponent', () => {
  expect(lines([3_700], { currency: 'JPY' })).toEqual(['0', '1K', '2K', '3K', '4K']);
  expect(lines([7_000_000], { currency: 'KWD' })).toEqual(['0', '2K', '4K', '6K', '8K']);
  expect(lines([999_999_999_999 * 1000], { currency: 'USD' })?.at(-1)).toBe('10T');
});

it('the volume chart is flat when no payment succeeded', () => {
  expect(heights([0, 0])).toEqual([]);
  expect(lines([0, 0])).toEqual(['0', '1', '2', '3', '4']);
});

it("the volume chart labels hours in the viewer's time zone, and days in UTC", () => {
  const hours = chartOf([1, 1, 1], {}, 'Asia/Tokyo');
  expect(hours?.columns[0]?.label).toBe('Fri 20 Nov, 22:00');
  expect(hours?.ticks.map(({ text }) => text)).toContain('22:00');
  const days = chartOf([1], { period: '7d' }, 'Asia/Tokyo');
  expect(days?.columns[0]?.label).toBe('20 Nov 2026 (UTC)');
  expect(days?.ticks[0]?.text).toBe('20 Nov');
});

it('the volume chart shows the numbers of payments beside the volume', () => {
  const shown = chartOf([5_000])?.series.map(
    ({ label, unit, values }) => `${label} ${formatValue(values[0], unit)}`,
  );
  expect(shown).toEqual(['Volume 50.00 EUR', 'Payments 3', 'Succeeded 2', 'Failed 1']);
});

it('the volume chart is absent without a currency', () => {
  expect(chartOf([], { currency: null })).toBeNull();
});
