/**
 * Mergeable histograms of microseconds, after HdrHistogram (Gil Tene, hdrhistogram.org). Each power of two is divided
 * into 32 buckets of equal width, so any value is at most 1/64 (1.6 %) from the middle of its bucket. Below 64 µs, each
 * microsecond has its own bucket.
 */

const SUB_BUCKET_BITS = 5;
const SUB_BUCKETS = 2 ** SUB_BUCKET_BITS;
/** 2^36 µs are 19 hours: longer than any request. */
const MAX_EXPONENT = 36;
const MAX_VALUE = 2 ** MAX_EXPONENT - 1;

/** Buckets are numbered from 0; this is their count. */
export const BUCKET_COUNT = (MAX_EXPONENT - SUB_BUCKET_BITS + 1) * SUB_BUCKETS;

/** `[bucket, count]` by increasing bucket, without empty buckets. */
export type HistogramPairs = [bucket: number, count: number][];

/** Returns the bucket of a value. Values that are too large go into the last one. */
export function bucketOf(valueUs: number): number {
  const value = Math.min(Math.max(0, Math.floor(valueUs)), MAX_VALUE);
  if (value < 2 * SUB_BUCKETS) return value;
  const shift = Math.floor(Math.log2(value)) - SUB_BUCKET_BITS;
  return shift * SUB_BUCKETS + Math.floor(value / 2 ** shift);
}

/** Middle of a bucket. */
export function middleOf(bucket: number): number {
  if (bucket < 2 * SUB_BUCKETS) return bucket;
  const shift = Math.floor(bucket / SUB_BUCKETS) - 1;
  const lowest = (bucket - shift * SUB_BUCKETS) * 2 ** shift;
  return lowest + (2 ** shift - 1) / 2;
}

/**
 * Returns the values that these shares (0 to 1, ascending) of all values do not exceed, by nearest rank, in one pass; nothing without
 * values. `counts` is indexed by bucket; `lowest` and `highest` are its first and last bucket with values, and `total` is their sum.
 */
export function quantilesOf(
  { counts, lowest, highest }: { counts: ArrayLike<number>; lowest: number; highest: number },
  total: number,
  quantiles: readonly number[],
): number[] {
  const ranks = quantiles.map((quantile) => Math.max(1, Math.ceil(quantile * total)));
  const found: number[] = [];
  let seen = 0;
  for (let bucket = lowest; bucket <= highest && found.length < ranks.length; bucket++) {
    seen += counts[bucket] as number;
    while (seen >= (ranks[found.length] ?? Number.POSITIVE_INFINITY)) found.push(middleOf(bucket));
  }
  return found;
}
