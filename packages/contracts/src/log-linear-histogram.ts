/**
 * Histograms of microseconds that can be added up, after HdrHistogram (Gil Tene, hdrhistogram.org): each power of two is divided into
 * 32 buckets of equal width, so that a value is at most 1/64 (1.6 %) off the middle of its bucket, whatever its size. Below 64 µs
 * each microsecond has a bucket of its own.
 */

const SUB_BUCKET_BITS = 5;
const SUB_BUCKETS = 2 ** SUB_BUCKET_BITS;
/** 2^36 µs is 19 hours: longer than any request may take. */
const MAX_EXPONENT = 36;
const MAX_VALUE = 2 ** MAX_EXPONENT - 1;

/** Buckets are numbered from 0 up to below this. */
export const BUCKET_COUNT = (MAX_EXPONENT - SUB_BUCKET_BITS + 1) * SUB_BUCKETS;

/** `[bucket, count]` by rising bucket: buckets without a value are left out. */
export type HistogramPairs = [bucket: number, count: number][];

/** The bucket of a value; what is too large falls into the last one. */
export function bucketOf(valueUs: number): number {
  const value = Math.min(Math.max(0, Math.floor(valueUs)), MAX_VALUE);
  if (value < 2 * SUB_BUCKETS) return value;
  const shift = Math.floor(Math.log2(value)) - SUB_BUCKET_BITS;
  return shift * SUB_BUCKETS + Math.floor(value / 2 ** shift);
}

/** The middle of a bucket. */
export function middleOf(bucket: number): number {
  if (bucket < 2 * SUB_BUCKETS) return bucket;
  const shift = Math.floor(bucket / SUB_BUCKETS) - 1;
  const lowest = (bucket - shift * SUB_BUCKETS) * 2 ** shift;
  return lowest + (2 ** shift - 1) / 2;
}

/** The value that `quantile` (0 to 1) of all values do not exceed, by nearest rank; null of no values. `counts` are by bucket. */
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
