import {
  type PaymentSummary,
  SUMMARY_PERIODS,
  type SummaryPeriod,
} from '@tollgate/contracts/payments/payment-history';
import { formatAmount } from '#lib/format/amount.ts';
import { changeOf, compare, compareShares } from '#lib/format/change.ts';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';
import type { HomeFigure } from '#lib/home/home-view.ts';
import { drawTrend } from '../charts/draw-chart.ts';
import { formatOr } from '../usage/usage-figures.ts';
import type { ApiLatency } from './read-api-health.ts';

export type FailureReason = ReturnType<typeof failureReasons>[number];

/** The period that the address of the home page names. */
export function homePeriod(url: URL): SummaryPeriod {
  const named = url.searchParams.get('period');
  return SUMMARY_PERIODS.find((period) => period === named) ?? '24h';
}

/** The figures of payments at the top of the home page. */
export function periodFigures(summary: PaymentSummary): HomeFigure[] {
  return [volume(summary), successRate(summary), payments(summary)];
}

/** The figure beside them. `latency` is null when it is unknown. */
export function latencyFigure(latency: ApiLatency | null): HomeFigure {
  const p95Ms = latency?.p95Ms ?? null;
  return {
    label: 'API latency, p95',
    value: formatOr(formatLatency, p95Ms),
    unit: null,
    note: compare(p95Ms, latency?.previousP95Ms ?? null, formatLatency),
    trend: drawTrend(latency?.trend ?? []),
  };
}

/** Most payments first. */
export function volumes({ currencies, previous }: PaymentSummary) {
  return currencies.map(({ currency, succeeded_amount: amount }) => {
    const before = previous && amountIn(previous.currencies, currency);
    /** Compared with the period before; empty when unknown. */
    const change = before ? changeOf(amount, before) : '';
    return { currency, amount, change };
  });
}

/** Most payments first. */
export function failureReasons({ failures }: PaymentSummary) {
  const most = failures[0]?.payments ?? 1;
  return failures.map(({ code, payments }) => ({
    code,
    payments,
    /** Relative to the most frequent reason, which has 100. */
    sharePercent: Math.round((payments / most) * 100),
  }));
}

function volume({ currency, currencies, previous, buckets }: PaymentSummary): HomeFigure {
  const label = 'Volume';
  if (currency === null) return { label, value: '–', unit: null, note: 'Succeeded payments', trend: '' };
  const format = (amount: number) => formatAmount(amount, currency);
  return {
    label,
    value: format(amountIn(currencies, currency)),
    unit: currency,
    note: compare(
      amountIn(currencies, currency),
      previous && amountIn(previous.currencies, currency),
      format,
    ),
    trend: drawTrend(buckets.map(({ succeeded_amount }) => succeeded_amount)),
  };
}

/** The share of succeeded payments among those that succeeded or failed. Canceled payments do not count as failures. */
function successRate({ statuses, previous, buckets }: PaymentSummary): HomeFigure {
  const rate = rateOf(statuses);
  return {
    label: 'Success rate',
    value: formatOr(formatRate, rate),
    unit: null,
    note: compareShares(rate, previous && rateOf(previous.statuses)),
    trend: drawTrend(buckets.map(rateOf)),
  };
}

function payments({ statuses, previous, buckets }: PaymentSummary): HomeFigure {
  const count = sum(statuses);
  return {
    label: 'Payments',
    value: formatCount(count),
    unit: null,
    note: compare(count, previous && sum(previous.statuses), formatCount),
    trend: drawTrend(buckets.map((bucket) => bucket.payments)),
  };
}

function amountIn(currencies: PaymentSummary['currencies'], currency: string): number {
  return currencies.find((entry) => entry.currency === currency)?.succeeded_amount ?? 0;
}

/** 0 to 1; null without ended payments. */
function rateOf({ succeeded = 0, failed = 0 }: { succeeded?: number; failed?: number }): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed);
}

function sum(counts: PaymentSummary['statuses']): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
