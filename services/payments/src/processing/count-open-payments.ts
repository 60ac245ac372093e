import type { Context } from '../context.ts';

/**
 * Counts the payments at each processor that are open, stuck, and different there, for operators to see. Open payments of a
 * processor that is not configured never end, so it counts as unavailable. Changes nothing.
 */
export function createPaymentCount(context: Context): () => Promise<void> {
  const { store, differences, processors, metrics, clock, logger, stuckAfterMs } = context;
  const reported = new Set<string>();

  function report(processor: string): void {
    metrics.setAvailable(processor, false);
    if (reported.has(processor)) return;
    reported.add(processor);
    logger.error(
      { processor },
      'open payments belong to a processor that is not configured; add it to PROCESSORS_FILE again',
    );
  }

  return async () => {
    const stuckSince = new Date(clock.now() - stuckAfterMs);
    const missing = (await store.processorsWithOpenPayments()).filter((name) => !processors.has(name));
    for (const name of missing) report(name);
    for (const name of [...processors.keys(), ...missing]) {
      const counted = await store.countOpen(name, stuckSince);
      metrics.setPayments(name, { ...counted, differing: await differences.countUnresolved(name) });
    }
  };
}
