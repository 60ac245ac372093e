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
export interface BarScales {
  xScale: ((column: number) => number) & { bandwidth(): number };
  yScale: (value: number) => number;
}

/** All bars of a series as one SVG path: an element for each would weigh several times as much. */
export function barsPath(spans: BarSpan[], { xScale, yScale }: BarScales): string {
  const width = round(xScale.bandwidth());
  return spans
    .map(([from, to], column) => {
      if (to === from) return '';
      const [top, bottom] = [yScale(to), yScale(from)];
      return `M${round(xScale(column))} ${round(top)}h${width}v${round(bottom - top)}h${-width}z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
