import { expect, it } from 'vitest';
import { drawUsageChart } from './draw-usage-chart.ts';
import type { UsageSeries, UsageTone } from './usage-charts.ts';

const bars = (tone: UsageTone, values: number[]): UsageSeries => ({
  tone,
  label: tone,
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
const heightsIn = (path = '') =>
  [...path.matchAll(/M[\d.]+ ([\d.]+)h[\d.]+v([\d.]+)/g)].map(([, y, h]) => [Number(y), Number(h)]);

it('the usage chart draws stacked bars in proportion, and none for zero', () => {
  const svg = drawUsageChart({
    unit: 'requests',
    top: 100,
    gridLines: [],
    series: [bars('succeeded', [50, 0, 20]), bars('server_error', [25, 10, 0])],
  });
  const paths = pathsOf(svg);
  expect(heightsIn(paths['succeeded'])).toEqual([
    [50, 50],
    [80, 20],
  ]);
  expect(heightsIn(paths['server_error'])).toEqual([
    [25, 25],
    [90, 10],
  ]);
  expect(svg).toMatch(/^<svg viewBox="0 0 100 100"/);
});

it('the usage chart draws lines through the middle of the columns, with gaps', () => {
  const svg = drawUsageChart({
    unit: 'ms',
    top: 100,
    gridLines: [],
    series: [{ tone: 'p50', label: 'p50', draws: 'line', values: [100, 50, null, 25] }],
  });
  const [line, alone] = [...svg.matchAll(/<path d="([^"]*)"/g)].map(([, d]) => d);
  expect(line).toMatch(/^M[\d.]+,0L[\d.]+,50M[\d.]+,75Z?$/);
  expect(alone).toMatch(/^M[\d.]+ 75h0$/);
});
