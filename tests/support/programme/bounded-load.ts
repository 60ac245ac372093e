import { eventually } from '@tollgate/test-kit/eventually';
import { type SteadyLoad, startSteadyLoad } from '../platform/steady-load.ts';

const COMPLETION_TIMEOUT_MS = 300_000;

/**
 * A steady load that waits for the run: at most so many operations are sent beyond the number that the run has waited for. On a slow
 * machine, where processes take longer to start, a run has then as many operations as on a fast one.
 */
export function startBoundedLoad(
  { operationsPerSecond, ahead }: { operationsPerSecond: number; ahead: number },
  send: () => Promise<unknown>,
): Pick<SteadyLoad, 'completed' | 'complete' | 'stop'> {
  let begun = 0;
  let completed = 0;
  let limit = ahead;
  const load = startSteadyLoad(operationsPerSecond, async () => {
    if (begun >= limit) return;
    begun += 1;
    await send();
    completed += 1;
  });

  function assertNoFailure(): void {
    const [failure] = load.failures;
    if (failure !== undefined) throw new Error(`The driver failed: ${failure.message}`);
  }

  return {
    completed: () => completed,
    async complete(more) {
      const wanted = completed + more;
      limit = Math.max(limit, wanted + ahead);
      const isReached = () => {
        assertNoFailure();
        return completed >= wanted;
      };
      await eventually(`${wanted} operations are completed`, isReached, { timeoutMs: COMPLETION_TIMEOUT_MS });
    },
    async stop() {
      await load.stop();
      assertNoFailure();
    },
  };
}
