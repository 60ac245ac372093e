import { render } from 'svelte/server';
import { svgIn } from '../charts/svg-in.ts';
import UsageDrawing from './UsageDrawing.svelte';
import type { UsageChart } from './usage-charts.ts';

/** Renders the bars and lines of a chart as SVG. */
export function drawUsageChart(chart: UsageChart): string {
  return svgIn(render(UsageDrawing, { props: { chart } }).body);
}
