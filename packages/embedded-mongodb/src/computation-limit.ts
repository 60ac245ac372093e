import { mongoError } from './bson/mongo-error.ts';

/*
 * Limits what one request may compute. A command runs from start to end on its thread, so one limit per thread is in
 * force at a time: whatever computes charges it without having to be handed it.
 */

/** A step is work of about 70 nanoseconds: an operator of an expression, or comparing two elements. */
export const STEPS_PER_MS = 15_000;
/** What finding a record takes, and decoding it. */
export const STEPS_PER_RECORD = 40;
export const BYTES_DECODED_PER_STEP = 8;
/** What writing a record and its index entries takes at least. */
const STEPS_PER_WRITE = 300;

export interface ComputationLimit {
  maxSteps: number;
  /** Whether each record and each operation of a batch adds steps: fewer than reading or writing it takes. */
  growsWithRecords?: boolean;
  /** Throws the reason: called once the steps are used up. */
  exceeded(): never;
  /** Whether nobody waits for the result anymore. */
  isCancelled?(): boolean;
}

/** MongoDB's limit for one stage of a pipeline; here for a request. */
const MAX_KEPT_BYTES = 100 * 1024 * 1024;

/** Time and cancellation are looked at once per so many steps. */
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

/** Runs a request under a limit. */
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
 * Runs a command or a batch under `maxTimeMS`, counted from now; Infinity for no time limit of its own.
 * @throws MaxTimeMSExpired from the step or record at which the time is over.
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

/** Throws unless so many steps are left: before work that cannot be interrupted and may take as many. */
export function requireSteps(count: number): void {
  if (stepsLeft < count) limit.exceeded();
}

/** Charges the comparisons of a sort. */
export function spendForSort(length: number): void {
  spendSteps(length * Math.log2(length + 1));
}

/** Charges memory that a request keeps: documents of a stage that must see them all first, regular expressions. */
export function keepBytes(count: number): void {
  keptBytes += count;
  if (keptBytes <= MAX_KEPT_BYTES || limit === UNLIMITED) return;
  throw mongoError(
    'QueryExceededMemoryLimitNoDiskUseAllowed',
    `The operation keeps more than ${MAX_KEPT_BYTES} bytes in memory, and embedded-mongodb does not use the disk for it. Reduce the documents, or their fields, before $group, $sort and $sample.`,
  );
}

/** Counts a record that is written. */
export function passWrite(): void {
  if (limit.growsWithRecords) stepsLeft += STEPS_PER_WRITE;
}

/** Counts a record that is examined, or an operation of a batch. */
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
