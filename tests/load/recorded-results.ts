import { readFileSync, writeFileSync } from 'node:fs';
import type { Comparison } from './benchmark.ts';

const FILE = new URL('../../docs/performance.json', import.meta.url);

/** The last recorded run of one benchmark. */
export interface RecordedRun {
  benchmark: string;
  /** UTC, such as `2026-11-24`. */
  date: string;
  /** CPU, cores, and versions. */
  machine: string;
  comparisons: Comparison[];
}

/** The runs that `docs/performance.md` shows, in its order. */
export function readRecordedRuns(): RecordedRun[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedRun[];
}

/** Replaces the run of the same benchmark, so that benchmarks can be repeated one by one. */
export function recordRun(run: RecordedRun): void {
  const runs = readRecordedRuns();
  const index = runs.findIndex(({ benchmark }) => benchmark === run.benchmark);
  if (index === -1) runs.push(run);
  else runs[index] = run;
  writeFileSync(FILE, `${JSON.stringify(runs, null, 2)}\n`);
}
