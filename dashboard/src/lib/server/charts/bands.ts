/** With more columns than this, space between them would make them pale and say nothing. */
const MOST_SPACED_COLUMNS = 200;
const SPACE = 0.25;

/** Between columns and, half of it, at the ends: in widths of a column with its space. */
export function bandPadding(columns: number): number {
  return columns > MOST_SPACED_COLUMNS ? 0 : SPACE;
}

/** Free space at either side of the columns, in percent of the chart's width. */
export function insetPercent(columns: number): number {
  const padding = bandPadding(columns);
  return Math.round((padding / 2 / (columns + padding)) * 10_000) / 100;
}
