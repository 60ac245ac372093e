import { countOf } from '#lib/format/number.ts';

/** `1 payment`, `1,200 payments`. */
export function countOfPayments(count: number): string {
  return countOf(count, 'payment');
}
