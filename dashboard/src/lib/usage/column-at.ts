/**
 * The index of the column at a position across a chart, from 0 at its left edge to 1 at its right. Positions beyond the
 * columns map to the nearest one.
 */
export function columnAt(
  ratio: number,
  { columns, insetPercent }: { columns: number; insetPercent: number },
): number {
  const inset = insetPercent / 100;
  const column = Math.floor(((ratio - inset) / (1 - 2 * inset)) * columns);
  return Math.min(Math.max(column, 0), columns - 1);
}

/**
 * The left edge of a column in percent of the chart's width. The index after the last one returns the end of the last
 * column.
 */
export function columnPercent(
  column: number,
  { columns, insetPercent }: { columns: number; insetPercent: number },
): number {
  return insetPercent + (column / columns) * (100 - 2 * insetPercent);
}
