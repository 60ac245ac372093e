import type { Environment } from '@tollgate/contracts/platform/environment';
import { USAGE_OUTCOMES, type UsageGranularity, type UsageTotal } from '@tollgate/contracts/usage/usage';
import { formatLatency } from '#lib/format/latency.ts';
import { formatCount } from '#lib/format/number.ts';
import { formatRate } from '#lib/format/rate.ts';
import { OUTCOME_LABELS } from '#lib/usage/usage-labels.ts';
import { insetPercent } from '../charts/bands.ts';
import { drawUsageChart } from './draw-usage-chart.ts';
import type { UsageOfRange } from './read-usage.ts';
import {
  countOf,
  errorRateChart,
  latencyChart,
  rateLimitChart,
  requestsChart,
  rowsAt,
  type UsageChart,
  type UsageTone,
} from './usage-charts.ts';
import { type UsageColumn, usageColumns } from './usage-columns.ts';
import { formatOr, shareOf, type UsageFigure, usageFigures } from './usage-figures.ts';
import { type TypedUsageFilters, usagePath } from './usage-filters.ts';
import { previousOf, STEP_MS, timesOf, type UsageRange } from './usage-range.ts';

/** The columns that all charts share. */
export interface UsageAxis {
  columns: UsageColumn[];
  /** Free space on either side of the columns, in percent of the chart's width. */
  insetPercent: number;
  stepMs: number;
}

export interface LegendEntry {
  tone: UsageTone;
  label: string;
  /** Value for the whole range; empty where it would be meaningless. */
  value: string;
  /** Link to the page filtered by the entry. */
  href: string | null;
}

export interface DrawnChart extends UsageChart {
  title: string;
  description: string;
  svg: string;
  legend: LegendEntry[];
}

export interface UsageView {
  figures: UsageFigure[];
  axis: UsageAxis;
  charts: DrawnChart[];
}

interface UsageContext {
  environment: Environment;
  typed: TypedUsageFilters;
  range: UsageRange;
  timeZone: string;
  nowMs: number;
  /** Requests per second of the selected application; null when several are shown. */
  limitPerSecond: number | null;
}

const PER: Record<UsageGranularity, string> = { minute: 'minute', hour: 'hour', day: 'day' };

export function usageView(usage: UsageOfRange, context: UsageContext): UsageView {
  const { range, timeZone, nowMs, typed } = context;
  const hasOneOutcome = typed.outcome !== '';
  const rows = rowsAt(timesOf(range), usage.rows);
  const previousRows = rowsAt(timesOf(previousOf(range)), usage.previousRows);
  const charts = [
    drawn(requestsChart(rows, previousRows), {
      title: 'Requests',
      description: `Requests per ${PER[range.granularity]} by outcome${usage.previousRows.length > 0 ? '. Dashed line: previous period' : ''}`,
      legend: outcomeLegend(usage, context),
    }),
    drawn(latencyChart(rows), {
      title: 'Latency',
      description: 'p50, p95 and p99 response times',
      legend: latencyLegend(usage.total),
    }),
  ];
  const shares = hasOneOutcome
    ? []
    : [
        drawn(errorRateChart(rows), {
          title: 'Error rate',
          description: '4xx and 5xx responses among all requests, excluding 429',
          legend: errorLegend(usage.total),
        }),
        rateLimit(rows, usage.total, context),
      ];
  return {
    figures: usageFigures(usage.total, usage.before, { hasOneOutcome }),
    axis: {
      columns: usageColumns(range, timeZone, nowMs),
      insetPercent: insetPercent(rows.length),
      stepMs: STEP_MS[range.granularity],
    },
    charts: [...charts, ...shares],
  };
}

function drawn(
  chart: UsageChart,
  words: { title: string; description: string; legend: LegendEntry[] },
): DrawnChart {
  return { ...chart, ...words, svg: drawUsageChart(chart) };
}

function entry(tone: UsageTone, label: string, value: string, href: string | null = null): LegendEntry {
  return { tone, label, value, href };
}

/** Every outcome, including those without requests: that nothing failed is worth knowing. */
function outcomeLegend(
  { total, previousRows, before }: UsageOfRange,
  { environment, typed }: UsageContext,
): LegendEntry[] {
  const outcomes =
    typed.outcome === '' ? USAGE_OUTCOMES : USAGE_OUTCOMES.filter((one) => one === typed.outcome);
  const entries = outcomes.map((outcome) =>
    entry(
      outcome,
      OUTCOME_LABELS[outcome],
      formatCount(countOf(total, outcome)),
      typed.outcome === '' ? usagePath(environment, { ...typed, outcome }) : null,
    ),
  );
  return previousRows.length > 0
    ? [...entries, entry('previous', 'Previous period', formatCount(before.requests))]
    : entries;
}

function latencyLegend(total: UsageTotal): LegendEntry[] {
  return (['p50', 'p95', 'p99'] as const).map((name) =>
    entry(name, name, formatOr(formatLatency, total[`${name}_ms`])),
  );
}

function errorLegend(total: UsageTotal): LegendEntry[] {
  return (['server_error', 'client_error'] as const).map((outcome) =>
    entry(
      outcome,
      OUTCOME_LABELS[outcome],
      formatOr(
        formatRate,
        shareOf(total, (counts) => countOf(counts, outcome)),
      ),
    ),
  );
}

function rateLimit(
  rows: ReturnType<typeof rowsAt>,
  total: UsageTotal,
  { limitPerSecond, range }: UsageContext,
): DrawnChart {
  const limitPerColumn = limitPerSecond && (limitPerSecond * STEP_MS[range.granularity]) / 1_000;
  const chart = rateLimitChart(rows, limitPerColumn);
  const isDrawn = chart.series.some(({ tone }) => tone === 'limit');
  const limit =
    limitPerColumn === null
      ? []
      : [
          entry(
            'limit',
            isDrawn ? 'Limit' : 'Limit (above the chart)',
            `${formatCount(limitPerColumn)} per ${PER[range.granularity]}`,
          ),
        ];
  return drawn(chart, {
    title: 'Rate limit',
    description:
      limitPerColumn === null
        ? 'Requests allowed and rejected with 429. Select an application to see its limit.'
        : 'Requests allowed and rejected with 429, compared with the application limit',
    legend: [
      entry('passed', 'Allowed', formatCount(total.requests - total.rate_limited)),
      entry('rate_limited', OUTCOME_LABELS.rate_limited, formatCount(total.rate_limited)),
      ...limit,
    ],
  });
}
