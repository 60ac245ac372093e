import { SECOND_MS } from '@tollgate/contracts/platform/durations';

/** Says how far one clock is from another, for operators, such as `its clock is 7.2 s ahead of this one, and 5 s are allowed`. */
export function describeClockDifference(
  { clock, other }: { clock: string; other: string },
  { aheadMs, allowedMs }: { aheadMs: number; allowedMs: number },
): string {
  const seconds = (Math.abs(aheadMs) / SECOND_MS).toFixed(1);
  const direction = aheadMs > 0 ? 'ahead of' : 'behind';
  return `${clock} is ${seconds} s ${direction} ${other}, and ${allowedMs / SECOND_MS} s are allowed`;
}
