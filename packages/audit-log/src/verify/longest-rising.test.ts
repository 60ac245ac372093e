import fc from 'fast-check';
import { expect, it } from 'vitest';
import { longestRising } from './longest-rising.ts';

/** Tries all subsets. */
function longestByTrial(values: number[]): number {
  let longest = 0;
  for (let subset = 0; subset < 2 ** values.length; subset++) {
    const chosen = values.filter((_, index) => (subset >> index) & 1);
    if (isRising(chosen)) longest = Math.max(longest, chosen.length);
  }
  return longest;
}

function isRising(values: number[]): boolean {
  return values.every((value, index) => index === 0 || (values[index - 1] as number) < value);
}

it('the longest rising subsequence leaves out the one number that was moved', () => {
  const values = [1, 2, 7, 3, 4, 5, 6, 8];
  const rising = longestRising(values);
  expect(values.filter((_, index) => !rising.has(index))).toEqual([7]);
});

it('the longest rising subsequence is increasing and of maximum length', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { maxLength: 10 }), (values) => {
      const chosen = values.filter((_, index) => longestRising(values).has(index));
      expect(isRising(chosen)).toBe(true);
      expect(chosen.length).toBe(longestByTrial(values));
    }),
  );
});
