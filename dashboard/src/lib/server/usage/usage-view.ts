import type { Environment } from '@tollgate/contracts/platform/environment';
import { USAGE_OUTCOMES } from '@tollgate/contracts/usage/usage';
import type { ChartSeries } from '#lib/charts/chart.ts';
import { formatCount } from '#lib/format/number.ts';
import type { Values } from '#lib/server/list/filter.ts';
import { createChart } from '../charts/create-chart.ts';
import { timeAxis } from '../charts/time-axis.ts';
import type { UsageOfRange } from './read-usage.ts';
import { usageFigures } from './usage-figures.ts';
import { usagePath } from './usage-filters.ts';
import { previousOf, STEP_MS, timesOf } from './usage-range.ts';
import {
  errorRateSeries,
  latencySeries,
  previousSeries,
  rateLimitSeries,
  requestsSeries,
  rowsAt,
  type UsageRows,
} from './usage-series.ts';

interface UsageContext {
  environment: Environment;
  values: Values;
  timeZone: string;
  nowMs: number;
  /** Requests per second of the selected application; null when several are shown. */
  limitPerSecond: number | null;
}

export function usageView(usage: UsageOfRange, context: UsageContext) {
  const { timeZone, nowMs, values, limitPerSecond } = context;
  const { range, total, before } = usage;
  const stepMs = STEP_MS[range.granularity];
  const per = range.granularity;
  const hasOneOutcome = values.has('outcome');
  const axis = timeAxis(timesOf(range), { stepMs, timeZone, nowMs });
  const rows = rowsAt(timesOf(range), usage.rows);
  const previous = previousSeries(rowsAt(timesOf(previousOf(range)), usage.previousRows), before);
  const perColumn = limitPerSecond && (limitPerSecond * stepMs) / 1_000;
  const limit = perColumn && { perColumn, text: `${formatCount(perColumn)} per ${per}` };

  const draw = (title: string, axisTitle: string, series: ChartSeries[], description: string) => ({
    ...createChart(axis, { title, axisTitle, series }),
    description,
  });
  const charts = [
    draw(
      'Requests',
      `Requests per ${per}`,
      [...outcomes(usage, rows, context), ...previous],
      `Requests per ${per} by outcome${previous.length > 0 ? '. Dashed line: previous period' : ''}`,
    ),
    draw('Latency', 'Response time', latencySeries(rows, total), 'p50, p95 and p99 response times'),
  ];
  // The shares of a single outcome would be 0% or 100%.
  if (!hasOneOutcome) {
    charts.push(
      draw(
        'Error rate',
        'Share of requests',
        errorRateSeries(rows, total),
        '4xx and 5xx responses among all requests, excluding 429',
      ),
      draw(
        'Rate limit',
        `Requests per ${per}`,
        rateLimitSeries(rows, total, limit || null),
        limit
          ? 'Requests allowed and rejected with 429, compared with the application limit'
          : 'Requests allowed and rejected with 429. Select an application to see its limit.',
      ),
    );
  }
  return { figures: usageFigures(total, before, { hasOneOutcome }), charts };
}

/** The legend leads to the page with the requests of one outcome. */
function outcomes({ total }: UsageOfRange, rows: UsageRows, { environment, values }: UsageContext) {
  const chosen = USAGE_OUTCOMES.filter((one) => one === values.get('outcome'));
  if (chosen.length > 0) return requestsSeries(rows, total, chosen);
  return requestsSeries(rows, total).map((series) => ({
    ...series,
    href: usagePath(environment, values, { outcome: series.tone ?? '' }),
  }));
}
