import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Chart, ChartSeries, ChartUnit, TimeAxis } from '#lib/charts/chart.ts';
import { formatCompact, formatCount } from '#lib/format/number.ts';
import { formatPercent } from '#lib/format/rate.ts';
import { stack } from './chart-paths.ts';
import { drawChart } from './draw-chart.ts';
import { GRID_LINES, gridStep } from './grid-step.ts';

/** A quarter of a percent: a finer axis would suggest more precision than the data has. */
const LEAST_SHARE_STEP = 0.0025;
const LARGEST_SHARE_STEP = 1 / GRID_LINES;

/** The first series decides the unit of the value axis. */
export function createChart(
  axis: TimeAxis,
  { title, axisTitle, series }: { title: string; axisTitle: string; series: ChartSeries[] },
): Chart {
  const unit = series[0]?.unit ?? 'count';
  const step = stepOf(unit, greatestOf(series));
  return {
    ...axis,
    title,
    axisTitle,
    series,
    gridLines: Array.from({ length: GRID_LINES + 1 }, (_, index) => axisLabel(unit, index * step)),
    svg: drawChart(series, { columns: axis.columns.length, top: step * GRID_LINES }),
  };
}

/** The highest stack of bars or point of a line. */
export function greatestOf(series: ChartSeries[]): number {
  const bars = stack(series.filter(({ draws }) => draws === 'bar'));
  const lines = series.filter(({ draws }) => draws === 'line');
  return Math.max(
    0,
    ...bars.flatMap(({ spans }) => spans.map(([, to]) => to)),
    ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)),
  );
}

function stepOf(unit: ChartUnit, greatest: number): number {
  if (unit === 'share') return Math.min(gridStep(greatest, LEAST_SHARE_STEP), LARGEST_SHARE_STEP);
  // At least one major unit per line, also for an empty chart.
  return gridStep(greatest, typeof unit === 'object' ? 10 ** unit.decimals : 1);
}

function axisLabel(unit: ChartUnit, value: number): string {
  if (unit === 'share') return formatPercent(value, 2);
  if (unit === 'count') return formatCompact(value);
  if (typeof unit === 'object') return formatCompact(value / 10 ** unit.decimals);
  if (value < SECOND_MS) return `${formatCount(Number(value.toFixed(2)))} ms`;
  if (value < 2 * MINUTE_MS) return `${formatCount(Number((value / SECOND_MS).toFixed(2)))} s`;
  return `${formatCount(Number((value / MINUTE_MS).toFixed(2)))} min`;
}
