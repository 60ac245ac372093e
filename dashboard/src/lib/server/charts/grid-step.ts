/** Lines across a chart, beside the one at zero. */
export const GRID_LINES = 4;

/** The least of 1, 2, 2.5, 5 × 10ⁿ of which `GRID_LINES` hold the greatest value: at least `least`, and a multiple of it where `least` is 1. */
export function gridStep(greatest: number, least: number): number {
  const needed = Math.max(greatest / GRID_LINES, least);
  const power = 10 ** Math.floor(Math.log10(needed));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => Number((factor * power).toPrecision(3)))
    .find((candidate) => candidate >= needed && (least !== 1 || Number.isInteger(candidate)));
  return step ?? needed;
}
