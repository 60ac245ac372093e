import type { PaymentSummary, SummaryPeriod } from '@tollgate/contracts/payments/payment-history';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { currentLocale } from '#lib/format/locale.ts';
import { formatCompact } from '#lib/format/number.ts';
import { insetPercent } from '../charts/bands.ts';
import { GRID_LINES, gridStep } from '../charts/grid-step.ts';

/** The volume of a period as a column chart: the data, independent of rendering. */
export interface VolumeChart {
  currency: string;
  /** Grid lines from bottom to top; `heightPercent` is relative to the chart. */
  gridLines: { label: string; heightPercent: number }[];
  /** Oldest first. */
  columns: VolumeColumn[];
  /** Free space on either side of the columns, in percent of the chart's width. */
  insetPercent: number;
}

export interface VolumeColumn {
  at: string;
  /** Label under the axis; empty where labels would not fit. */
  tick: string;
  /** The full hour or day. */
  label: string;
  /** Minor units. */
  succeededAmount: number;
  heightPercent: number;
  payments: number;
  succeeded: number;
  failed: number;
}

/** Labels every n-th column, so that the labels fit on a phone. */
const TICK_EVERY: Record<SummaryPeriod, number> = { '24h': 4, '7d': 1, '30d': 5 };

/** Null when there is no currency. `heightPercent` is rounded to two decimals. */
export function volumeChart(summary: PaymentSummary, timeZone: string): VolumeChart | null {
  const { currency, buckets, period } = summary;
  if (currency === null) return null;
  const greatest = Math.max(...buckets.map((bucket) => bucket.succeeded_amount), 0);
  // At least one major unit per line, also for an empty chart.
  const step = gridStep(greatest, minorUnits(currency));
  const top = step * GRID_LINES;
  const times = bucketTimes(period, timeZone);
  return {
    currency,
    insetPercent: insetPercent(buckets.length),
    gridLines: Array.from({ length: GRID_LINES + 1 }, (_, index) => ({
      label: shortAmount(index * step, currency),
      heightPercent: percentOf(index * step, top),
    })),
    columns: buckets.map((bucket, index) => ({
      at: bucket.at,
      tick: index % TICK_EVERY[period] === 0 ? times.short(bucket.at) : '',
      label: times.long(bucket.at),
      succeededAmount: bucket.succeeded_amount,
      heightPercent: percentOf(bucket.succeeded_amount, top),
      payments: bucket.payments,
      succeeded: bucket.succeeded,
      failed: bucket.failed,
    })),
  };
}

function shortAmount(amount: number, currency: string): string {
  return formatCompact(amount / minorUnits(currency));
}

function minorUnits(currency: string): number {
  return 10 ** (CURRENCY_EXPONENTS.get(currency) ?? 0);
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/** Hours are labeled in the viewer's time zone. Days are days in UTC, and their labels say so. */
function bucketTimes(period: SummaryPeriod, timeZone: string) {
  if (period === '24h') {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(currentLocale(), { timeZone, hour: '2-digit', minute: '2-digit', ...options });
    const short = format({});
    const long = format({ weekday: 'short', day: 'numeric', month: 'short' });
    return {
      short: (at: string) => short.format(new Date(at)),
      long: (at: string) => long.format(new Date(at)),
    };
  }
  const day = new Intl.DateTimeFormat(currentLocale(), { timeZone: 'UTC', day: 'numeric', month: 'short' });
  return {
    short: (at: string) => day.format(new Date(at)),
    long: (at: string) => `${day.format(new Date(at))} (UTC)`,
  };
}
