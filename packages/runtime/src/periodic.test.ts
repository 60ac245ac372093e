import { afterEach, expect, it } from 'vitest';
import { createLogger } from './logger.ts';
import { type Periodic, startPeriodic } from './periodic.ts';

const NEVER_AGAIN_MS = 3_600_000;

let periodic: Periodic;
const logged: string[] = [];
const logger = createLogger({
  service: 'test',
  destination: { write: (line: string) => void logged.push(line) },
});
afterEach(() => periodic.stop());

/** Runs that end when the test resolves them. */
function controlledRuns() {
  const runs: PromiseWithResolvers<void>[] = [];
  return {
    runs,
    run() {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
  };
}

it('a periodic task runs immediately and then repeatedly', async () => {
  let count = 0;
  periodic = startPeriodic({ name: 'count', intervalMs: 1, run: async () => void count++, logger });
  await expect.poll(() => count).toBeGreaterThan(3);
});

it('a periodic task logs the error of a failed run, and continues', async () => {
  let count = 0;
  async function run() {
    count++;
    if (count === 1) throw new Error('no luck');
  }
  periodic = startPeriodic({ name: 'luck', intervalMs: 1, run, logger });
  await expect.poll(() => count).toBeGreaterThan(1);
  expect(logged.join('')).toContain('no luck');
});

it('a periodic task that is triggered twice during a run runs once more after it, never concurrently', async () => {
  const { runs, run } = controlledRuns();
  periodic = startPeriodic({ name: 'trigger', intervalMs: NEVER_AGAIN_MS, run, logger });
  await expect.poll(() => runs.length).toBe(1);
  periodic.trigger();
  periodic.trigger();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  periodic.trigger();
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve();
});

it('a periodic task stops after the run in flight, and starts no other run', async () => {
  const { runs, run } = controlledRuns();
  periodic = startPeriodic({ name: 'end', intervalMs: 1, run, logger });
  await expect.poll(() => runs.length).toBe(1);
  let stopped = false;
  const stopping = periodic.stop().then(() => {
    stopped = true;
  });
  periodic.trigger();
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).toBe(false);
  runs[0]?.resolve();
  await stopping;
  periodic.trigger();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs).toHaveLength(1);
});
