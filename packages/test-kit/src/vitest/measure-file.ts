import { afterAll } from 'vitest';
import { cpuSeconds } from './cpu-seconds.ts';

/**
 * Setup file of every project: measures a test file with its imports and the processes that it starts. Vitest runs it before it imports the
 * test file, and its hook after all others.
 */
declare module 'vitest' {
  interface TaskMeta {
    cpuSeconds?: number;
    wallSeconds?: number;
  }
}

const startedAtMs = performance.now();
const cpuAtStart = cpuSeconds();

// biome-ignore lint/correctness/noEmptyPattern: Vitest requires a pattern, from which it reads the fixtures that a hook uses.
afterAll(({}, { file }) => {
  file.meta.cpuSeconds = cpuSeconds() - cpuAtStart;
  file.meta.wallSeconds = (performance.now() - startedAtMs) / 1_000;
});
