/** Formats a rate: `99.5%`. Never `100%` when something failed, nor `0%` when something succeeded. */
export function formatRate(rate: number): string {
  const tenths = Math.round(rate * 1000);
  const honest = rate < 1 && tenths === 1000 ? 999 : rate > 0 && tenths === 0 ? 1 : tenths;
  return `${honest / 10}%`;
}
