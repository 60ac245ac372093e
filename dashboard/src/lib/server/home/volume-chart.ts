import { CURRENCY_EXPONENTS } from '@tollgate/contracts/money';
import type { PaymentSummary, SummaryPeriod } from '@tollgate/contracts/payment-history';

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
const GRID_LINES = 4;
/** Between columns and, half of it, at the ends: in widths of a column with its space. */
export const BAND_PADDING = 0.25;

/** Null when there is no currency to draw. `heightPercent` is exact to a hundredth. */
export function volumeChart(summary: PaymentSummary, timeZone: string): VolumeChart | null {
  const { currency, buckets, period } = summary;
  if (currency === null) return null;
  const step = gridStep(Math.max(...buckets.map((bucket) => bucket.succeeded_amount), 0), currency);
  const top = step * GRID_LINES;
  const times = bucketTimes(period, timeZone);
  return {
    currency,
    insetPercent: percentOf(BAND_PADDING / 2, buckets.length + BAND_PADDING),
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

/** The least of 1, 2, 2.5, 5 × 10ⁿ major units of which `GRID_LINES` hold the greatest amount. In minor units. */
function gridStep(greatest: number, currency: string): number {
  const minorPerMajor = minorUnits(currency);
  const least = greatest / GRID_LINES;
  let power = 1;
  while (power * 10 <= least) power *= 10;
  const step =
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= least) ?? power;
  // Below one major unit, and for an empty chart, lines of whole units.
  return Math.max(step, minorPerMajor);
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
