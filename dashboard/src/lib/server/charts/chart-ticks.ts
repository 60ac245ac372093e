import type { ChartTick } from '#lib/charts/chart.ts';

/** A label below the axis. A day is more important than a time of day. */
export interface TickLabel {
  text: string;
  isDay?: boolean;
}

/** The least width of a chart's columns in pixels, from the narrowest phone to a whole page. Chart.svelte queries its width. */
const WIDTHS = [
  ['narrow', 170],
  ['medium', 256],
  ['half', 400],
  ['wide', 560],
] as const;
/** The width of a digit at the size of the labels. Letters are narrower on average. */
const CHARACTER_PX = 7;
const GAP_PX = 12;

/** The labels of the columns, each from the width at which it has space beside the others. Null for a column without a label. */
export function chartTicks(labels: (TickLabel | null)[]): ChartTick[] {
  const shown = labels.flatMap((label, column) => (label ? [{ ...label, column }] : []));
  const longest = Math.max(...shown.map(({ text }) => text.length)) * CHARACTER_PX + GAP_PX;
  // Where only some labels have space, the days are among them.
  const anchor = Math.max(
    0,
    shown.findIndex(({ isDay }) => isDay),
  );
  const distance = leastDistance(shown) / labels.length;
  return shown.map(({ text, column }, index) => {
    const from = WIDTHS.find(([, width]) => (index - anchor) % strideFor(longest / (width * distance)) === 0);
    return { text, column, from: from?.[0] ?? 'wide' };
  });
}

/** In columns. */
function leastDistance(shown: { column: number }[]): number {
  const distances = shown.slice(1).map(({ column }, index) => column - (shown[index]?.column ?? 0));
  return Math.min(...distances);
}

/** The power of two, so that a wider chart shows every label of a narrower one. */
function strideFor(needed: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.log2(needed)));
}
