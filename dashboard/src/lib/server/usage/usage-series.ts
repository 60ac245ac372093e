import {
  USAGE_OUTCOMES,
  type UsageOutcome,
  type UsageRow,
  type UsageTotal,
} from '@tollgate/contracts/usage/usage';
import type { ChartSeries } from '#lib/charts/chart.ts';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';
import { OUTCOME_LABELS } from '#lib/usage/usage-labels.ts';
import { greatestOf } from '../charts/create-chart.ts';
import { formatOr, shareOf } from './usage-figures.ts';

/** The row of each column; null for a column without requests. */
export type UsageRows = (UsageRow | null)[];

type Count = Exclude<
  keyof UsageRow,
  `${string}_id` | `${string}_ms` | 'at' | 'environment' | 'operation' | 'outcome'
>;

const COUNT_OF: Record<UsageOutcome, Count> = {
  succeeded: 'succeeded',
  replayed: 'replayed',
  client_error: 'client_errors',
  rate_limited: 'rate_limited',
  server_error: 'server_errors',
  aborted: 'aborted',
};

/** The limit is omitted when it exceeds the highest bar more than this many times: it would flatten the bars. */
const MOST_LIMIT_ABOVE = 4;

/** The row for each time, or null: times without requests have no row. */
export function rowsAt(times: string[], rows: UsageRow[]): UsageRows {
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  return times.map((at) => byTime.get(Date.parse(at)) ?? null);
}

/** Requests by outcome. The legend also has the outcomes that did not occur: that nothing failed is worth knowing. */
export function requestsSeries(
  rows: UsageRows,
  total: UsageTotal,
  outcomes: readonly UsageOutcome[] = USAGE_OUTCOMES,
): ChartSeries[] {
  return outcomes.map((outcome) => {
    const counts = rows.map((row) => (row === null ? 0 : countOf(row, outcome)));
    const isShown = outcome === 'succeeded' || counts.some((count) => count > 0);
    const all = formatCount(countOf(total, outcome));
    return series(outcome, OUTCOME_LABELS[outcome], 'count', isShown ? counts : [], all);
  });
}

/** The requests of the previous period, if it had any. */
export function previousSeries(rows: UsageRows, total: UsageTotal): ChartSeries[] {
  if (rows.every((row) => row === null)) return [];
  const counts = rows.map((row) => row?.requests ?? 0);
  return [series('previous', 'Previous period', 'count', counts, formatCount(total.requests), 'line')];
}

/** Client and server errors as a share of all requests. Rate-limited requests are not errors here. */
export function errorRateSeries(rows: UsageRows, total: UsageTotal): ChartSeries[] {
  return (['server_error', 'client_error'] as const).map((outcome) => {
    const rate = (counts: UsageTotal) => shareOf(counts, (all) => countOf(all, outcome));
    const rates = rows.map((row) => row && rate(row));
    return series(outcome, OUTCOME_LABELS[outcome], 'share', rates, formatOr(formatRate, rate(total)));
  });
}

export function latencySeries(rows: UsageRows, total: UsageTotal): ChartSeries[] {
  return (['p50', 'p95', 'p99'] as const).map((name) => {
    const latencies = rows.map((row) => row?.[`${name}_ms`] ?? null);
    return series(name, name, 'ms', latencies, formatOr(formatLatency, total[`${name}_ms`]), 'line');
  });
}

/**
 * Allowed and rate-limited requests, with the most requests that the limit allows per minute, hour or day. Only the legend shows
 * a limit far above the bars.
 */
export function rateLimitSeries(
  rows: UsageRows,
  total: UsageTotal,
  limit: { perColumn: number; text: string } | null,
): ChartSeries[] {
  const allowed = rows.map((row) => (row ? row.requests - row.rate_limited : 0));
  const limited = rows.map((row) => row?.rate_limited ?? 0);
  const bars = [
    series('passed', 'Allowed', 'count', allowed, formatCount(total.requests - total.rate_limited)),
    series('rate_limited', OUTCOME_LABELS.rate_limited, 'count', limited, formatCount(total.rate_limited)),
  ];
  if (limit === null) return bars;
  const isDrawn = limit.perColumn <= greatestOf(bars) * MOST_LIMIT_ABOVE;
  const label = isDrawn ? 'Limit' : 'Limit (above the chart)';
  const line = isDrawn ? rows.map(() => limit.perColumn) : [];
  return [...bars, series('limit', label, 'count', line, limit.text, 'line')];
}

function countOf(counts: Pick<UsageRow, Count>, outcome: UsageOutcome): number {
  return counts[COUNT_OF[outcome]];
}

function series(
  tone: NonNullable<ChartSeries['tone']>,
  label: string,
  unit: ChartSeries['unit'],
  values: ChartSeries['values'],
  total: string,
  draws: ChartSeries['draws'] = 'bar',
): ChartSeries {
  return { tone, label, unit, draws, values, total };
}
