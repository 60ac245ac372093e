import { expect, it } from 'vitest';
import type { ChartSeries, ChartTone } from '#lib/charts/chart.ts';
import { drawChart, drawTrend } from './draw-chart.ts';

const bars = (tone: ChartTone, values: number[]): ChartSeries => ({
  tone,
  label: tone,
  unit: 'count',
  draws: 'bar',
  values,
});
const pathsOf = (svg: string) =>
  Object.fromEntries(
    [...svg.matchAll(/<path d="([^"]*)"[^>]* class="lc-path (?:bar|line) (\w+)"/g)].map(([, d, tone]) => [
      tone,
      d,
    ]),
  );
const barsIn = (path = '') =>
  [...path.matchAll(/M([\d.]+) ([\d.]+)h[\d.]+v([\d.]+)/g)].map(([, x, y, h]) => [x, y, h].map(Number));

it('a chart has stacked bars in proportion from left to right, and none for zero', () => {
  const series = [bars('succeeded', [50, 0, 20]), bars('server_error', [25, 10, 0])];
  const svg = drawChart(series, { columns: 3, top: 100 });
  const paths = pathsOf(svg);
  expect(barsIn(paths['succeeded']).map(([, y, height]) => [y, height])).toEqual([
    [50, 50],
    [80, 20],
  ]);
  expect(barsIn(paths['server_error']).map(([, y, height]) => [y, height])).toEqual([
    [25, 25],
    [90, 10],
  ]);
  const [first, third] = barsIn(paths['succeeded']).map(([x]) => x);
  expect(first).toBeLessThan(third as number);
  expect(svg).toMatch(/^<svg viewBox="0 0 100 100"/);
  expect(svg).not.toContain('<!--');
});

const pathsOfLine = (svg: string) => [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, d]) => d);

it('a chart has lines through the middle of the columns, with gaps, and a point for a value without neighbors', () => {
  const line: ChartSeries = {
    ...bars('p50', []),
    unit: 'ms',
    draws: 'line',
    values: [100, 50, null, 25],
  };
  const [path, alone] = pathsOfLine(drawChart([line], { columns: 4, top: 100 }));
  expect(path).toMatch(/^M[\d.]+,0L[\d.]+,50M[\d.]+,75Z?$/);
  expect(alone).toMatch(/^M[\d.]+ 75h0$/);
});

it.each([
  ['rises from zero to the highest value', [0, 5, 10], /^M[\d.]+,100L[\d.]+,50L[\d.]+,0$/, ''],
  ['is flat at the bottom when all values are zero', [0, 0], /^M[\d.]+,100L[\d.]+,100$/, ''],
  ['is flat at the top when all values are equal', [7, 7], /^M[\d.]+,0L[\d.]+,0$/, ''],
  ['is a point where a value is alone', [1, null, 1, 1], /,0ZM[\d.]+,0L[\d.]+,0$/, 'h0'],
  ['shows a single value', [null, 3], /,0Z?$/, 'h0'],
] as const)('a trend %s', (_, values, expected, expectedAlone) => {
  const [line, alone = ''] = pathsOfLine(drawTrend([...values]));
  expect(line).toMatch(expected);
  expect(alone.slice(-2)).toBe(expectedAlone);
});

it.each([[[]], [[null, null]]])('a trend without values is empty: %j', (values) => {
  expect(drawTrend(values)).toBe('');
});
