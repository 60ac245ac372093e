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
 * Returns the value that `quantile` (0 to 1) of all values do not exceed, by nearest rank; null without values.
 * `counts` is indexed by bucket.
 */
export function quantileOf(counts: ArrayLike<number>, quantile: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) total += counts[bucket] as number;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(quantile * total));
  let seen = 0;
  for (let bucket = 0; bucket < counts.length; bucket++) {
    seen += counts[bucket] as number;
    if (seen >= rank) return middleOf(bucket);
  }
  return null;
}
