import { BUCKET_COUNT, type HistogramPairs } from '@tollgate/contracts/usage/log-linear-histogram';
import { VarintReader, VarintWriter } from './varint.ts';

/**
 * What a row counts, as one number: index of its operation × 16 + index of its outcome, in the contract's lists. The
 * number is stored: new entries may only be appended to those lists.
 */
const OUTCOMES_PER_OPERATION = 16;

export function kindOf(operation: number, outcome: number): number {
  return operation * OUTCOMES_PER_OPERATION + outcome;
}

export function operationOf(kind: number): number {
  return Math.floor(kind / OUTCOMES_PER_OPERATION);
}

export function outcomeOf(kind: number): number {
  return kind % OUTCOMES_PER_OPERATION;
}

/** Requests of one key and one kind. `key` is the index of the key in its document's list. */
export interface PackedRow {
  key: number;
  kind: number;
  requests: number;
  latency: HistogramPairs;
}

/**
 * Per row: key, kind, requests, number of pairs. Per pair: the bucket's distance from the previous one, and its count.
 */
export function packRows(rows: readonly PackedRow[]): Uint8Array {
  const writer = new VarintWriter();
  for (const { key, kind, requests, latency } of rows) {
    writer.write(key);
    writer.write(kind);
    writer.write(requests);
    writer.write(latency.length);
    let previous = 0;
    for (const [bucket, count] of latency) {
      writer.write(bucket - previous);
      writer.write(count);
      previous = bucket;
    }
  }
  return writer.toBytes();
}

/** Counts by bucket, which the rows visited are added to. */
export interface LatencyCounts {
  counts: Float64Array;
  /** No count is below this bucket. */
  lowest: number;
  /** No count is above this bucket. */
  highest: number;
}

export function emptyLatency(): LatencyCounts {
  return { counts: new Float64Array(BUCKET_COUNT), lowest: BUCKET_COUNT, highest: -1 };
}

export function addLatency(to: LatencyCounts, bucket: number, count: number): void {
  to.counts[bucket] = (to.counts[bucket] as number) + count;
  if (bucket < to.lowest) to.lowest = bucket;
  if (bucket > to.highest) to.highest = bucket;
}

export function latencyPairs({ counts, lowest, highest }: LatencyCounts): HistogramPairs {
  const pairs: HistogramPairs = [];
  for (let bucket = lowest; bucket <= highest; bucket++) {
    const count = counts[bucket] as number;
    if (count > 0) pairs.push([bucket, count]);
  }
  return pairs;
}

/**
 * Receives each row without an object allocated for it. The row's latencies are added to the returned counts; null
 * discards them.
 */
export type RowVisitor = (key: number, kind: number, requests: number) => LatencyCounts | null;

export function visitRows(packed: Uint8Array, visit: RowVisitor): void {
  const reader = new VarintReader(packed);
  while (!reader.isAtEnd()) {
    const latency = visit(reader.read(), reader.read(), reader.read());
    const pairs = reader.read();
    if (latency) addPairs(reader, pairs, latency);
    else reader.skip(2 * pairs);
  }
}

/** Queries spend most of their time here: because buckets ascend, the bounds are updated only once. */
function addPairs(reader: VarintReader, pairs: number, to: LatencyCounts): void {
  if (pairs === 0) return;
  const { counts } = to;
  let bucket = reader.read();
  if (bucket < to.lowest) to.lowest = bucket;
  counts[bucket] = (counts[bucket] as number) + reader.read();
  for (let pair = 1; pair < pairs; pair++) {
    bucket += reader.read();
    counts[bucket] = (counts[bucket] as number) + reader.read();
  }
  if (bucket > to.highest) to.highest = bucket;
}
