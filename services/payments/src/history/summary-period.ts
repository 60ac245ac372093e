import type { SummaryPeriod } from '@tollgate/contracts/payments/payment-history';
import { DAY_MS, HOUR_MS } from '@tollgate/contracts/platform/durations';

interface Buckets {
  unit: 'hour' | 'day';
  unitMs: number;
  count: number;
}

const BUCKETS: Record<SummaryPeriod, Buckets> = {
  '24h': { unit: 'hour', unitMs: HOUR_MS, count: 24 },
  '7d': { unit: 'day', unitMs: DAY_MS, count: 7 },
  '30d': { unit: 'day', unitMs: DAY_MS, count: 30 },
};

/** Start of every bucket of a period, oldest first; the last is the UTC hour or day that contains `nowMs`. */
export function bucketsOf(
  period: SummaryPeriod,
  nowMs: number,
): { unit: 'hour' | 'day'; starts: Date[]; lengthMs: number } {
  const { unit, unitMs, count } = BUCKETS[period];
  // All hours and days have the same length in UTC.
  const last = Math.floor(nowMs / unitMs) * unitMs;
  const starts = Array.from({ length: count }, (_, at) => new Date(last - (count - 1 - at) * unitMs));
  return { unit, starts, lengthMs: count * unitMs };
}
