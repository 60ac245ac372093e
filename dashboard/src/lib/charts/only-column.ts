import type { ChartSeries } from './chart.ts';

/** The index of the column with data when there is only one; null otherwise. */
export function onlyColumn(series: ChartSeries[]): number | null {
  const isBusy = (column: number) =>
    series.some(({ tone, values }) => tone !== 'limit' && (values[column] ?? 0) > 0);
  const columns = series[0]?.values ?? [];
  const first = columns.findIndex((_, column) => isBusy(column));
  if (first === -1 || columns.some((_, column) => column > first && isBusy(column))) return null;
  return first;
}
