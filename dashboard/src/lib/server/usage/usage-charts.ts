import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { USAGE_OUTCOMES, type UsageOutcome, type UsageRow } from '@tollgate/contracts/usage/usage';
import { formatCompact, formatCount } from '#lib/format/number.ts';
import { formatPercent } from '#lib/format/rate.ts';
import { OUTCOME_LABELS } from '#lib/usage/usage-labels.ts';
import { GRID_LINES, gridStep } from '../charts/grid-step.ts';

/** The tone of a series: each has its own color (app.css). */
export type UsageTone = UsageOutcome | 'passed' | 'previous' | 'limit' | 'p50' | 'p95' | 'p99';

export interface UsageSeries {
  tone: UsageTone;
  label: string;
  /** Bars are stacked in the order of the series. */
  draws: 'bar' | 'line';
  /** One value per column; null without data. */
  values: (number | null)[];
}

/** The data of a chart, independent of rendering. */
export interface UsageChart {
  unit: 'requests' | 'share' | 'ms';
  /** The value at the upper edge. */
  top: number;
  gridLines: { label: string; heightPercent: number }[];
  series: UsageSeries[];
}

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

export function countOf(counts: Pick<UsageRow, Count>, outcome: UsageOutcome): number {
  return counts[COUNT_OF[outcome]];
}

/** A quarter of a percent: a finer axis would suggest more precision than the data has. */
const LEAST_SHARE_STEP = 0.0025;
/** The limit is omitted when it exceeds the highest bar more than this many times: it would flatten the bars. */
const MOST_LIMIT_ABOVE = 4;

/** The row for each time, or null: times without requests have no row. */
export function rowsAt(times: string[], rows: UsageRow[]): (UsageRow | null)[] {
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  return times.map((at) => byTime.get(Date.parse(at)) ?? null);
}

/** Requests by outcome, with those of the previous period if it had any. */
export function requestsChart(rows: (UsageRow | null)[], previous: (UsageRow | null)[]): UsageChart {
  const occurring = USAGE_OUTCOMES.filter(
    (outcome) => outcome === 'succeeded' || rows.some((row) => row !== null && countOf(row, outcome) > 0),
  );
  const bars = occurring.map((outcome) =>
    series(
      outcome,
      OUTCOME_LABELS[outcome],
      'bar',
      rows.map((row) => (row === null ? 0 : countOf(row, outcome))),
    ),
  );
  const before = series(
    'previous',
    'Previous period',
    'line',
    previous.map((row) => row?.requests ?? 0),
  );
  return chart('requests', previous.some((row) => row !== null) ? [...bars, before] : bars);
}

/** Client and server errors as a share of all requests. Rate-limited requests are not errors here. */
export function errorRateChart(rows: (UsageRow | null)[]): UsageChart {
  const share = (outcome: 'client_error' | 'server_error') =>
    series(
      outcome,
      OUTCOME_LABELS[outcome],
      'bar',
      rows.map((row) => (row === null || row.requests === 0 ? null : countOf(row, outcome) / row.requests)),
    );
  return chart('share', [share('server_error'), share('client_error')]);
}

export function latencyChart(rows: (UsageRow | null)[]): UsageChart {
  const percentile = (tone: 'p50' | 'p95' | 'p99') =>
    series(
      tone,
      tone,
      'line',
      rows.map((row) => row?.[`${tone}_ms`] ?? null),
    );
  return chart('ms', [percentile('p50'), percentile('p95'), percentile('p99')]);
}

/**
 * Allowed and rate-limited requests, with the most requests that the limit allows per minute, hour or day. The line is
 * omitted where it lies far above the bars.
 */
export function rateLimitChart(rows: (UsageRow | null)[], limitPerColumn: number | null): UsageChart {
  const bars = [
    series(
      'passed',
      'Allowed',
      'bar',
      rows.map((row) => (row ? row.requests - row.rate_limited : 0)),
    ),
    series(
      'rate_limited',
      OUTCOME_LABELS.rate_limited,
      'bar',
      rows.map((row) => row?.rate_limited ?? 0),
    ),
  ];
  const greatest = greatestOf(bars);
  if (limitPerColumn === null || limitPerColumn > greatest * MOST_LIMIT_ABOVE) return chart('requests', bars);
  const line = series(
    'limit',
    'Limit',
    'line',
    rows.map(() => limitPerColumn),
  );
  return chart('requests', [...bars, line]);
}

function series(
  tone: UsageTone,
  label: string,
  draws: UsageSeries['draws'],
  values: UsageSeries['values'],
): UsageSeries {
  return { tone, label, draws, values };
}

function chart(unit: UsageChart['unit'], shown: UsageSeries[]): UsageChart {
  const greatest = greatestOf(shown);
  const step =
    unit === 'share' ? Math.min(gridStep(greatest, LEAST_SHARE_STEP), 0.25) : gridStep(greatest, 1);
  const top = step * GRID_LINES;
  return {
    unit,
    top,
    gridLines: Array.from({ length: GRID_LINES + 1 }, (_, index) => ({
      label: axisLabel(unit, index * step),
      heightPercent: (index / GRID_LINES) * 100,
    })),
    series: shown,
  };
}

/** The highest stack of bars or point of a line. */
function greatestOf(shown: UsageSeries[]): number {
  const heights: number[] = [];
  let greatest = 0;
  for (const { draws, values } of shown) {
    values.forEach((value, index) => {
      const height = draws === 'bar' ? (heights[index] ?? 0) + (value ?? 0) : (value ?? 0);
      if (draws === 'bar') heights[index] = height;
      greatest = Math.max(greatest, height);
    });
  }
  return greatest;
}

function axisLabel(unit: UsageChart['unit'], value: number): string {
  if (unit === 'share') return formatPercent(value, 2);
  if (unit === 'requests') return formatCompact(value);
  if (value < SECOND_MS) return `${formatCount(Number(value.toFixed(2)))} ms`;
  if (value < 2 * MINUTE_MS) return `${formatCount(Number((value / SECOND_MS).toFixed(2)))} s`;
  return `${formatCount(Number((value / MINUTE_MS).toFixed(2)))} min`;
}
