/** Number of grid lines, without the one at zero. */
export const GRID_LINES = 4;

/**
 * The smallest step of 1, 2, 2.5 or 5 × 10ⁿ with which `GRID_LINES` steps reach the greatest value. At least `least`,
 * and an integer when `least` is 1.
 */
export function gridStep(greatest: number, least: number): number {
  const needed = Math.max(greatest / GRID_LINES, least);
  const power = 10 ** Math.floor(Math.log10(needed));
  const step = [1, 2, 2.5, 5, 10]
    .map((factor) => Number((factor * power).toPrecision(3)))
    .find((candidate) => candidate >= needed && (least !== 1 || Number.isInteger(candidate)));
  return step ?? needed;
}
