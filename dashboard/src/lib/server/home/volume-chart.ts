import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';
import type { PaymentSummary, SummaryPeriod } from '@tollgate/contracts/payment-history';
import { insetPercent } from '../charts/bands.ts';
import { GRID_LINES, gridStep } from '../charts/grid-step.ts';

/** The volume of a period as a chart of columns: what it shows, without how it is drawn. */
export interface VolumeChart {
  currency: string;
  /** Lines across, from the bottom: `heightPercent` of the chart. */
  gridLines: { label: string; heightPercent: number }[];
  /** Oldest first. */
  columns: VolumeColumn[];
  /** Free space at either side of the columns, of the chart's width. */
  insetPercent: number;
}

export interface VolumeColumn {
  at: string;
  /** Under the axis; empty where labels would crowd. */
  tick: string;
  /** The hour or day in full. */
  label: string;
  /** Minor units. */
  succeededAmount: number;
  heightPercent: number;
  payments: number;
  succeeded: number;
  failed: number;
}

/** Every how many columns one is labelled, so that the labels fit on a phone. */
const TICK_EVERY: Record<SummaryPeriod, number> = { '24h': 4, '7d': 1, '30d': 5 };

/** Null when there is no currency to draw. `heightPercent` is exact to a hundredth. */
export function volumeChart(summary: PaymentSummary, timeZone: string): VolumeChart | null {
  const { currency, buckets, period } = summary;
  if (currency === null) return null;
  const greatest = Math.max(...buckets.map((bucket) => bucket.succeeded_amount), 0);
  // Below one major unit, and for an empty chart, lines of whole units.
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
  return new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 }).format(
    amount / minorUnits(currency),
  );
}

function minorUnits(currency: string): number {
  return 10 ** (CURRENCY_EXPONENTS.get(currency) ?? 0);
}

function percentOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 100;
}

/** Buckets of an hour are shown in the viewer's zone; those of a day are days in UTC, and say so. */
function bucketTimes(period: SummaryPeriod, timeZone: string) {
  if (period === '24h') {
    const format = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', ...options });
    const short = format({});
    const long = format({ weekday: 'short', day: 'numeric', month: 'short' });
    return {
      short: (at: string) => short.format(new Date(at)),
      long: (at: string) => long.format(new Date(at)),
    };
  }
  const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
  return {
    short: (at: string) => day.format(new Date(at)),
    long: (at: string) => `${day.format(new Date(at))} (UTC)`,
  };
}
