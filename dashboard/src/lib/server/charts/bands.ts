/** Between columns and, half of it, at the ends: in widths of a column with its space. */
export const BAND_PADDING = 0.25;

/** Free space at either side of the columns, in percent of the chart's width. */
export function insetPercent(columns: number): number {
  return Math.round((BAND_PADDING / 2 / (columns + BAND_PADDING)) * 10_000) / 100;
}
