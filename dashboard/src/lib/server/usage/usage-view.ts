import type { Environment } from '@tollgate/contracts/platform/environment';
import { USAGE_OUTCOMES } from '@tollgate/contracts/usage/usage';
import type { Chart } from '#lib/charts/chart.ts';
import { formatCount } from '#lib/format/number.ts';
import type { Values } from '#lib/server/list/filter.ts';
import { createChart } from '../charts/create-chart.ts';
import { timeAxis } from '../charts/time-axis.ts';
import type { UsageOfRange } from './read-usage.ts';
import { type UsageFigure, usageFigures } from './usage-figures.ts';
import { usagePath } from './usage-filters.ts';
import { previousOf, STEP_MS, timesOf, type UsageRange } from './usage-range.ts';
import {
  errorRateSeries,
  latencySeries,
  previousSeries,
  rateLimitSeries,
  requestsSeries,
  rowsAt,
} from './usage-series.ts';

export interface UsageView {
  figures: UsageFigure[];
  charts: (Chart & { description: string })[];
}

interface UsageContext {
  environment: Environment;
  values: Values;
  range: UsageRange;
  timeZone: string;
  nowMs: number;
  /** Requests per second of the selected application; null when several are shown. */
  limitPerSecond: number | null;
}

export function usageView(usage: UsageOfRange, context: UsageContext): UsageView {
  const { range, timeZone, nowMs, values, limitPerSecond } = context;
  const { total, before } = usage;
  const stepMs = STEP_MS[range.granularity];
  const per = range.granularity;
  const hasOneOutcome = values.has('outcome');
  const axis = timeAxis(timesOf(range), { stepMs, timeZone, nowMs });
  const rows = rowsAt(timesOf(range), usage.rows);
  const previous = previousSeries(rowsAt(timesOf(previousOf(range)), usage.previousRows), before);
  const perColumn = limitPerSecond && (limitPerSecond * stepMs) / 1_000;
  const limit = perColumn && { perColumn, text: `${formatCount(perColumn)} per ${per}` };

  const charts = [
    {
      ...createChart(axis, {
        title: 'Requests',
        axisTitle: `Requests per ${per}`,
        series: [...outcomes(usage, rows, context), ...previous],
      }),
      description: `Requests per ${per} by outcome${previous.length > 0 ? '. Dashed line: previous period' : ''}`,
    },
    {
      ...createChart(axis, {
        title: 'Latency',
        axisTitle: 'Response time',
        series: latencySeries(rows, total),
      }),
      description: 'p50, p95 and p99 response times',
    },
  ];
  const shares = () => [
    {
      ...createChart(axis, {
        title: 'Error rate',
        axisTitle: 'Share of requests',
        series: errorRateSeries(rows, total),
      }),
      description: '4xx and 5xx responses among all requests, excluding 429',
    },
    {
      ...createChart(axis, {
        title: 'Rate limit',
        axisTitle: `Requests per ${per}`,
        series: rateLimitSeries(rows, total, limit || null),
      }),
      description: limit
        ? 'Requests allowed and rejected with 429, compared with the application limit'
        : 'Requests allowed and rejected with 429. Select an application to see its limit.',
    },
  ];
  return {
    figures: usageFigures(total, before, { hasOneOutcome }),
    // The shares of a single outcome would be 0% or 100%.
    charts: hasOneOutcome ? charts : [...charts, ...shares()],
  };
}

/** The legend leads to the page with the requests of one outcome. */
function outcomes(
  { total }: UsageOfRange,
  rows: ReturnType<typeof rowsAt>,
  { environment, values }: UsageContext,
) {
  if (values.has('outcome')) {
    return requestsSeries(
      rows,
      total,
      USAGE_OUTCOMES.filter((one) => one === values.get('outcome')),
    );
  }
  return requestsSeries(rows, total).map((series) => ({
    ...series,
    href: usagePath(environment, values, { outcome: series.tone ?? '' }),
  }));
}
