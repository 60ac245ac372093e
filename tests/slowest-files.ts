import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the test files that took longest, at the end of a run. */
export const slowestFiles: Reporter = {
  onTestRunEnd(modules) {
    const slowest = modules.toSorted((one, other) => durationMs(other) - durationMs(one)).slice(0, SHOWN);
    process.stdout.write('Slowest files:\n');
    for (const module of slowest) {
      const seconds = (durationMs(module) / 1_000).toFixed(1).padStart(8);
      process.stdout.write(`${seconds} s  ${module.relativeModuleId}\n`);
    }
  },
};

/** Of all tests and hooks. */
function durationMs(module: TestModule): number {
  return module.diagnostic().duration;
}
