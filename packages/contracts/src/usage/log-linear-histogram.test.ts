import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BUCKET_COUNT, bucketOf, middleOf, quantilesOf } from './log-linear-histogram.ts';

const QUANTILES = [0.5, 0.95, 0.99, 1];

describe('a log-linear histogram', () => {
  test('a log-linear histogram keeps every value from a microsecond to hours within 2 %', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 36 - 1 }), (value) => {
        expect(Math.abs(middleOf(bucketOf(value)) - value) / value).toBeLessThanOrEqual(0.02);
      }),
      { numRuns: 10_000 },
    );
  });

  test('numbers its buckets in the order of their values, without gaps', () => {
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket++) expect(bucketOf(middleOf(bucket))).toBe(bucket);
    for (let bucket = 1; bucket < BUCKET_COUNT; bucket++)
      expect(middleOf(bucket)).toBeGreaterThan(middleOf(bucket - 1));
  });

  test('a log-linear histogram accepts values that are too large, fractions, and negative values', () => {
    expect(bucketOf(Number.MAX_SAFE_INTEGER)).toBe(BUCKET_COUNT - 1);
    expect(bucketOf(-1)).toBe(0);
    expect(bucketOf(3.9)).toBe(3);
  });

  test('a log-linear histogram has quantiles within 2 % of those of the values', () => {
    const values = fc.array(fc.integer({ min: 1, max: 30_000_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(values, (all) => {
        const counts = new Array<number>(BUCKET_COUNT).fill(0);
        for (const value of all) counts[bucketOf(value)] = (counts[bucketOf(value)] ?? 0) + 1;
        const whole = { counts, lowest: 0, highest: BUCKET_COUNT - 1 };
        for (const [index, found] of quantilesOf(whole, all.length, QUANTILES).entries()) {
          const rank = Math.ceil((QUANTILES[index] as number) * all.length);
          const exact = all.toSorted((a, b) => a - b)[rank - 1] as number;
          expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.02);
        }
        expect(quantilesOf(whole, all.length, QUANTILES)).toHaveLength(QUANTILES.length);
      }),
    );
  });

  test('a log-linear histogram has no quantile without values', () => {
    const counts = new Array<number>(BUCKET_COUNT).fill(0);
    expect(quantilesOf({ counts, lowest: 0, highest: BUCKET_COUNT - 1 }, 0, QUANTILES)).toEqual([]);
  });
});
