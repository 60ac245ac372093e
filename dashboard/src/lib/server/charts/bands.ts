/** With more columns than this, gaps between them would only make the chart pale. */
const MOST_SPACED_COLUMNS = 200;
const SPACE = 0.25;

/** The gap between columns, and half of it at both ends, as a fraction of a column including its gap. */
export function bandPadding(columns: number): number {
  return columns > MOST_SPACED_COLUMNS ? 0 : SPACE;
}

/** Free space on either side of the columns, in percent of the chart's width. */
export function insetPercent(columns: number): number {
  const padding = bandPadding(columns);
  return Math.round((padding / 2 / (columns + padding)) * 10_000) / 100;
}
