/** The column under a place across a chart, 0 at its left edge to 1 at its right; beyond the columns the nearest. */
export function columnAt(
  ratio: number,
  { columns, insetPercent }: { columns: number; insetPercent: number },
): number {
  const inset = insetPercent / 100;
  const column = Math.floor(((ratio - inset) / (1 - 2 * inset)) * columns);
  return Math.min(Math.max(column, 0), columns - 1);
}

/** Where a column begins, in percent of the chart's width; of the one after the last, where that ends. */
export function columnPercent(
  column: number,
  { columns, insetPercent }: { columns: number; insetPercent: number },
): number {
  return insetPercent + (column / columns) * (100 - 2 * insetPercent);
}
