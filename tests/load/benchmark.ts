/**
 * One part of `npm run bench`. It measures Tollgate beside the least that does the same work, in interleaved rounds of
 * one run: on a shared machine only ratios within a round mean anything.
 */
export type Benchmark = (effort: Effort) => Promise<Comparison[]>;

/** How long a benchmark measures. */
export interface Effort {
  rounds: number;
  /** How long each subject is measured in a round. */
  secondsPerRound: number;
}

/** What was measured: one row per subject in the table of `npm run bench`. */
export interface Comparison {
  /** Such as `Read a payment through the gateway`. */
  title: string;
  /** What one figure counts, with its unit, such as `CPU per request (µs)`. */
  figure: string;
  /** The figures of each subject, one per round, in the order of the rounds. */
  figures: Record<string, number[]>;
  /** The subject that all others are divided by, round by round. */
  baseline: string;
  /** The ratio of a subject to the baseline that the project wants. */
  aim?: { subject: string; atMost: number } | { subject: string; atLeast: number } | undefined;
}
