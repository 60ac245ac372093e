import { mongoError } from './bson/mongo-error.ts';

/*
 * Limits the computation of one request. A command runs from start to end on its thread, so each thread has one limit in
 * force at a time. It is module state, so that functions can charge it without a parameter.
 */

/** A step is about 70 nanoseconds of work: one operator of an expression, or one comparison of two elements. */
export const STEPS_PER_MS = 15_000;
/** The cost of finding and decoding a record. */
export const STEPS_PER_RECORD = 40;
export const BYTES_DECODED_PER_STEP = 8;
/** The minimum cost of writing a record and its index entries. */
const STEPS_PER_WRITE = 300;

export interface ComputationLimit {
  maxSteps: number;
  /** Whether each record and each operation of a batch adds steps, but fewer than reading or writing it costs. */
  growsWithRecords?: boolean;
  /** Called when the steps are spent. Throws the error for the client. */
  exceeded(): never;
  /** Whether the client no longer waits for the result. */
  isCancelled?(): boolean;
}

/** In MongoDB, this limit applies to each stage of a pipeline; here, to the whole request. */
const MAX_KEPT_BYTES = 100 * 1024 * 1024;

/** Number of steps between checks of time and cancellation. */
const STEPS_BETWEEN_CLOCK_READS = 2000;

const UNLIMITED: ComputationLimit = {
  maxSteps: Number.POSITIVE_INFINITY,
  exceeded() {
    throw new Error('an unlimited computation exceeded its limit');
  },
};

let limit = UNLIMITED;
let stepsLeft = UNLIMITED.maxSteps;
let keptBytes = 0;
let endsAtMs = Number.POSITIVE_INFINITY;
let stepsUntilClockRead = STEPS_BETWEEN_CLOCK_READS;

/** Runs a request under the given limit. */
export function withComputationLimit<T>(granted: ComputationLimit, run: () => T): T {
  const outer = { limit, stepsLeft, keptBytes };
  limit = granted;
  stepsLeft = granted.maxSteps;
  keptBytes = 0;
  try {
    return run();
  } finally {
    limit = outer.limit;
    stepsLeft = outer.stepsLeft;
    keptBytes = outer.keptBytes;
  }
}

/**
 * Runs a command or a batch under `maxTimeMS`, starting now. Infinity sets no additional limit.
 * @throws MaxTimeMSExpired at the first step or record after the limit
 */
export function withTimeLimit<T>(maxTimeMs: number, run: () => T): T {
  const outerEndsAtMs = endsAtMs;
  endsAtMs = Math.min(outerEndsAtMs, performance.now() + maxTimeMs);
  try {
    return run();
  } finally {
    endsAtMs = outerEndsAtMs;
  }
}

/** Milliseconds until the time limit in force; Infinity without one. */
export function timeLeftMs(): number {
  return endsAtMs - performance.now();
}

/** Charges work. */
export function spendSteps(count: number): void {
  stepsLeft -= count;
  if (stepsLeft < 0) limit.exceeded();
  passTime(count);
}

/** Throws unless `count` steps remain. Call it before work that may take as many steps and cannot be interrupted. */
export function requireSteps(count: number): void {
  if (stepsLeft < count) limit.exceeded();
}

/** Charges the comparisons of a sort. */
export function spendForSort(length: number): void {
  spendSteps(length * Math.log2(length + 1));
}

/** Charges memory that a request keeps, such as the documents of a blocking stage and regular expressions. */
export function keepBytes(count: number): void {
  keptBytes += count;
  if (keptBytes <= MAX_KEPT_BYTES || limit === UNLIMITED) return;
  throw mongoError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `The operation keeps more than ${MAX_KEPT_BYTES} bytes in memory, and embedded-mongodb does not use the disk for it. Reduce the documents, or their fields, before $group, $sort and $sample.`,
  );
}

/** Charges a record that is written. */
export function passWrite(): void {
  if (limit.growsWithRecords) stepsLeft += STEPS_PER_WRITE;
}

/** Charges a record that is examined, or an operation of a batch. */
export function passRecord(bytes = 0): void {
  const steps = STEPS_PER_RECORD + bytes / BYTES_DECODED_PER_STEP;
  if (limit.growsWithRecords) stepsLeft += steps;
  passTime(steps);
}

function passTime(steps: number): void {
  stepsUntilClockRead -= steps;
  if (stepsUntilClockRead > 0) return;
  stepsUntilClockRead = STEPS_BETWEEN_CLOCK_READS;
  if (performance.now() > endsAtMs) throw mongoError('MaxTimeMSExpired', 'operation exceeded time limit');
  if (limit.isCancelled?.()) throw mongoError('Interrupted', 'The client disconnected.');
}
