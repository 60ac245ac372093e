import type { UsageSeries, UsageTone } from './usage-charts.ts';

/** Of a bar: where it begins and ends, in values. */
export type BarSpan = [from: number, to: number];

export interface StackedBars {
  tone: UsageTone;
  /** One for each column. */
  spans: BarSpan[];
}

/** Bars on top of each other, in the order of the series. */
export function stack(bars: UsageSeries[]): StackedBars[] {
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

/** As LayerChart gives them: columns are known by their index. */
export interface ChartScales {
  xScale: ((column: number) => number) & { bandwidth(): number };
  yScale: (value: number) => number;
}

/** All bars of a series as one SVG path: an element for each would weigh several times as much. */
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

/** The points of a line that no other stands beside: as a line they would not be seen. */
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
