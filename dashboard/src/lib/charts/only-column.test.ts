import { expect, it } from 'vitest';
import type { ChartSeries } from './chart.ts';
import { onlyColumn } from './only-column.ts';

const bars = (values: (number | null)[], tone: ChartSeries['tone'] = 'succeeded'): ChartSeries => ({
  label: 'Requests',
  unit: 'count',
  draws: 'bar',
  tone,
  values,
});

it.each([
  ['is the one with data', [bars([0, 0, 3]), bars([null, null, 1])], 2],
  ['does not depend on a limit', [bars([0, 4]), bars([9, 9], 'limit')], 1],
  ['is unknown when two columns have data', [bars([1, 0]), bars([0, 1])], null],
  ['is unknown without data', [bars([0, null])], null],
  ['is unknown without series', [], null],
])('the only column of a chart %s', (_, series, column) => {
  expect(onlyColumn(series)).toBe(column);
});
