import type { UsageTotal } from '@tollgate/contracts/usage';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';

/** One figure of the whole range, compared with the previous period. */
export interface UsageFigure {
  label: string;
  value: string;
  note: string;
}

/**
 * The figures at the top. `before` is the total of the previous period; null when unknown. For requests with a single
 * outcome, shares are meaningless, so latencies take their place.
 */
export function usageFigures(
  total: UsageTotal,
  before: UsageTotal | null,
  { hasOneOutcome }: { hasOneOutcome: boolean },
): UsageFigure[] {
  const requests = {
    label: 'Requests',
    value: formatCount(total.requests),
    note: compare(total.requests, before?.requests ?? null, formatCount),
  };
  const latency = (name: 'p50' | 'p95' | 'p99') => ({
    label: `${name} latency`,
    value: formatOr(formatLatency, total[`${name}_ms`]),
    note: compare(total[`${name}_ms`], before?.[`${name}_ms`] ?? null, formatLatency),
  });
  if (hasOneOutcome) return [requests, latency('p50'), latency('p95'), latency('p99')];
  const share = (label: string, of: (counts: UsageTotal) => number) => {
    const [now, earlier] = [shareOf(total, of), before && shareOf(before, of)];
    return { label, value: formatOr(formatRate, now), note: compareShares(now, earlier) };
  };
  return [
    requests,
    share('Error rate', (counts) => counts.client_errors + counts.server_errors),
    share('Rate limited', (counts) => counts.rate_limited),
    latency('p95'),
  ];
}

/** As a share of all requests; null without requests. */
export function shareOf(counts: UsageTotal, of: (counts: UsageTotal) => number): number | null {
  return counts.requests === 0 ? null : of(counts) / counts.requests;
}

export function formatOr(format: (value: number) => string, value: number | null): string {
  return value === null ? '–' : format(value);
}

/** Beyond this percentage a change is shown as a factor. */
const MOST_PERCENT = 999;

/** `+12% · previously 1,100` */
function compare(now: number | null, before: number | null, format: (value: number) => string): string {
  if (before === null || before === 0) return before === null ? '' : 'No data for the previous period';
  if (now === null) return `previously ${format(before)}`;
  const percent = Math.round((now / before - 1) * 100);
  const change = percent > MOST_PERCENT ? `${formatCount(Math.round(now / before))}×` : `${signed(percent)}%`;
  return `${change} · previously ${format(before)}`;
}

/** `+0.3 points · previously 0.4%` */
function compareShares(now: number | null, before: number | null): string {
  if (before === null) return '';
  if (now === null) return `previously ${formatRate(before)}`;
  const points = Math.round((now - before) * 1_000) / 10;
  return `${signed(points)} ${Math.abs(points) === 1 ? 'point' : 'points'} · previously ${formatRate(before)}`;
}

/** Uses a minus sign as wide as the plus; zero is ±0. */
function signed(value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  return `${sign}${formatCount(Math.abs(value))}`;
}
