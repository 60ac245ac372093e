import type { PaymentSummary } from '@tollgate/contracts/payments/payment-history';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import type { Chart, ChartSeries } from '#lib/charts/chart.ts';
import { inWords } from '#lib/format/label-of.ts';
import { createChart } from '../charts/create-chart.ts';
import { timeAxis } from '../charts/time-axis.ts';

const PERIODS = { '24h': 'last 24 hours', '7d': 'last 7 days', '30d': 'last 30 days' } as const;

/** The volume of a period, with the number of payments. Null when there is no currency. */
export function volumeChart(
  { currency, buckets, period }: PaymentSummary,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): Chart | null {
  if (currency === null) return null;
  const isDaily = period !== '24h';
  const axis = timeAxis(
    buckets.map(({ at }) => at),
    { stepMs: isDaily ? DAY_MS : HOUR_MS, timeZone, nowMs },
  );
  return createChart(axis, {
    title: `Volume, ${PERIODS[period]}`,
    axisTitle: `${currency} per ${isDaily ? 'day' : 'hour'}`,
    series: [
      {
        label: 'Volume',
        unit: { currency, decimals: CURRENCY_EXPONENTS.get(currency) ?? 0 },
        draws: 'bar',
        tone: 'succeeded',
        values: buckets.map((bucket) => bucket.succeeded_amount),
      },
      ...(['payments', 'succeeded', 'failed'] as const).map(
        (name): ChartSeries => ({
          label: inWords(name),
          unit: 'count',
          draws: null,
          tone: null,
          values: buckets.map((bucket) => bucket[name]),
        }),
      ),
    ],
  });
}
