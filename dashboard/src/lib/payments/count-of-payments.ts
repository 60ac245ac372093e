import { formatCount } from '#lib/format/number.ts';

/** `1 payment`, `1,200 payments`. */
export function countOfPayments(count: number): string {
  return count === 1 ? '1 payment' : `${formatCount(count)} payments`;
}
