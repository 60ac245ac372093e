import type { ChartSeries } from '#lib/charts/chart.ts';

/** The start and end of a bar, as values. */
export type BarSpan = [from: number, to: number];

/** Stacks bars in the order of the series: one span per column. */
export function stack(bars: ChartSeries[]) {
  const heights: number[] = [];
  return bars.map(({ tone, values }) => ({
    tone,
    spans: values.map((value, index): BarSpan => {
      const from = heights[index] ?? 0;
      const to = from + (value ?? 0);
      heights[index] = to;
      return [from, to];
    }),
  }));
}

/** LayerChart scales; columns are identified by their index. */
export interface ChartScales {
  xScale: ((column: number) => number) & { bandwidth(): number };
  yScale: (value: number) => number;
}

/** Renders all bars of a series as one SVG path: one element per bar would be several times as large. */
export function barsPath(spans: BarSpan[], { xScale, yScale }: ChartScales): string {
  const width = round(xScale.bandwidth());
  return spans
    .map(([from, to], column) => {
      if (to === from) return '';
      const [top, bottom] = [yScale(to), yScale(from)];
      return `M${round(xScale(column))} ${round(top)}h${width}v${round(bottom - top)}h${-width}z`;
    })
    .join('');
}

/** Points of a line without neighbors, which would be invisible as a line. */
export function lonePointsPath(values: (number | null)[], { xScale, yScale }: ChartScales): string {
  return values
    .map((value, column) => {
      const hasNeighbour = [column - 1, column + 1].some((beside) => (values[beside] ?? null) !== null);
      if (value === null || hasNeighbour) return '';
      return `M${round(xScale(column) + xScale.bandwidth() / 2)} ${round(yScale(value))}h0`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
