import { render } from 'svelte/server';
import type { ChartSeries } from '#lib/charts/chart.ts';
import ChartDrawing from './ChartDrawing.svelte';

/**
 * Draws bars and lines as SVG; `top` is the value at the upper edge. The server draws the charts: LayerChart is larger than all other
 * JavaScript of a page, and charts then work without JavaScript, too.
 */
export function drawChart(series: ChartSeries[], { columns, top }: { columns: number; top: number }): string {
  const drawn = series.filter(({ values }) => values.length > 0);
  const { body } = render(ChartDrawing, { props: { series: drawn, columns, top } });
  const svg = /<svg[\s\S]*<\/svg>/.exec(body)?.[0];
  if (svg === undefined) throw new Error('LayerChart did not render an SVG');
  return svg.replaceAll(/<!--[\s\S]*?-->/g, '');
}

/**
 * Draws the trend of a figure as a line. The lowest point is zero, so that lines of small changes stay flat. Empty when no value is
 * known.
 */
export function drawTrend(values: (number | null)[]): string {
  if (values.every((value) => value === null)) return '';
  const top = Math.max(...values.map((value) => value ?? 0)) || 1;
  return drawChart([{ label: '', unit: 'count', draws: 'line', tone: 'p95', values }], {
    columns: values.length,
    top,
  });
}
