import type { UsageOutcome } from '@tollgate/contracts/usage/usage';

/** The tone of a series: each has its own color (app.css). */
export type ChartTone = UsageOutcome | 'passed' | 'previous' | 'limit' | 'p50' | 'p95' | 'p99';

/** What values are: a number of things, a share from 0 to 1, milliseconds, or minor units of a currency. */
export type ChartUnit = 'count' | 'share' | 'ms' | { currency: string; decimals: number };

export interface ChartSeries {
  label: string;
  unit: ChartUnit;
  /** Bars are stacked in the order of the series. Null for values that only the tooltip and the table show. */
  draws: 'bar' | 'line' | null;
  tone: ChartTone | null;
  /** One value per column, null without data; empty for a series that only the legend shows. */
  values: (number | null)[];
  /** The value of the whole period, in the legend. A series without one is not in the legend. */
  total?: string;
  /** Link of the legend. */
  href?: string;
}

/** One minute, hour or day of a chart. */
export interface ChartColumn {
  /** Start, in UTC. */
  at: string;
  /** Full label, for tables: `Fri 20 Nov, 22:00`. */
  label: string;
}

/** A label below the axis. */
export interface ChartTick {
  text: string;
  column: number;
  /** The narrowest chart that has space for the label. */
  from: 'narrow' | 'medium' | 'half' | 'wide';
}

/** The time axis, which charts of the same page share. */
export interface TimeAxis {
  columns: ChartColumn[];
  ticks: ChartTick[];
  stepMs: number;
}

export interface Chart extends TimeAxis {
  title: string;
  /** What the values are: "Requests per hour". An axis with numbers alone can be misread. */
  axisTitle: string;
  /** Labels of the grid lines at equal distances, from zero to the upper edge. */
  gridLines: string[];
  series: ChartSeries[];
  /** The bars and lines, which the server draws. */
  svg: string;
}
