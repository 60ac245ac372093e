/** With more columns than this, gaps between them would only make the chart pale. */
const MOST_SPACED_COLUMNS = 200;
const SPACE = 0.25;

/** The gap between columns, and half of it at both ends, as a fraction of a column including its gap. */
export function bandPadding(columns: number): number {
  return columns > MOST_SPACED_COLUMNS ? 0 : SPACE;
}

/** Free space on either side of the columns, as a fraction of the chart's width. */
function inset(columns: number): number {
  const padding = bandPadding(columns);
  return padding / 2 / (columns + padding);
}

/**
 * The index of the column at a position across a chart, from 0 at its left edge to 1 at its right. Positions beyond the
 * columns map to the nearest one.
 */
export function columnAt(ratio: number, columns: number): number {
  const free = inset(columns);
  const column = Math.floor(((ratio - free) / (1 - 2 * free)) * columns);
  return Math.min(Math.max(column, 0), columns - 1);
}

/**
 * The left edge of a column in percent of the chart's width. The index after the last one returns the end of the last
 * column.
 */
export function columnPercent(column: number, columns: number): number {
  const free = inset(columns);
  return 100 * (free + (column / columns) * (1 - 2 * free));
}
