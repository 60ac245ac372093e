import { render } from 'svelte/server';
import { expect, it } from 'vitest';
import Chart from './Chart.svelte';
import type { Chart as ChartData } from './chart.ts';

/** A chart of three hours, as the server renders it. */
function rendered(values: number[]): string {
  const chart: ChartData = {
    title: 'Requests',
    axisTitle: 'Requests per hour',
    columns: values.map((_, hour) => ({
      at: `2026-11-20T0${hour}:00:00Z`,
      label: `Fri 20 Nov, 0${hour}:00`,
    })),
    ticks: [],
    stepMs: 3_600_000,
    gridLines: ['0', '5', '10'],
    series: [{ label: 'Succeeded', unit: 'count', draws: 'bar', tone: 'succeeded', values }],
    svg: '<svg></svg>',
  };
  return render(Chart, { props: { chart } }).body;
}

/** What readers see without pointing at the chart and without opening its table. */
const visible = (html: string) =>
  html
    .replaceAll(/<noscript>[\s\S]*?<\/noscript>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('a chart labels a single column with data at all times, and several only on demand', () => {
  expect(visible(rendered([0, 7, 0]))).toContain('Fri 20 Nov, 01:00 Succeeded 7');
  expect(visible(rendered([3, 7, 0]))).not.toContain('Fri 20 Nov');
});

it('the table of a chart is part of the page without JavaScript', () => {
  const table = /<noscript>([\s\S]*?)<\/noscript>/.exec(rendered([3, 7, 0]))?.[1] ?? '';
  expect(visible(table)).toContain('Fri 20 Nov, 00:00 3 Fri 20 Nov, 01:00 7');
  expect(table).not.toContain('02:00');
});
