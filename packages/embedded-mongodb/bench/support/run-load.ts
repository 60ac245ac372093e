import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const PROGRAM = fileURLToPath(new URL('./insert-load.ts', import.meta.url));

export interface LoadOutcome {
  acknowledged: number;
  elapsedMs: number;
  latenciesMs: { p50: number; p99: number; max: number };
}

export interface Load {
  port: number;
  writers: number;
  durationMs: number;
  /** The number of the first document. The numbers of the next documents are consecutive. */
  firstNumber: number;
}

/** Inserts from a separate process, so that only the server is measured. */
export async function runLoad({ port, writers, durationMs, firstNumber }: Load): Promise<LoadOutcome> {
  const parameters = [port, writers, durationMs, firstNumber].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...parameters]);
  return JSON.parse(stdout) as LoadOutcome;
}

export function perSecond({ acknowledged, elapsedMs }: LoadOutcome): number {
  return (acknowledged / elapsedMs) * 1000;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
