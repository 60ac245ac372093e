/** A measurement that took a second is kept for nine, so that measuring takes at most a tenth of the time. */
const KEPT_PER_DURATION = 9;

/**
 * Limits the cost of a measurement, however often it is requested. Requests during a measurement share it, and later ones get its
 * result for a while that depends on how long it took.
 */
export function measureSparingly(measure: () => Promise<number>, now: () => number): () => Promise<number> {
  let latest: Promise<number> | null = null;
  let keptUntil = Number.POSITIVE_INFINITY;

  async function run(): Promise<number> {
    const startedAt = now();
    try {
      return await measure();
    } finally {
      const endedAt = now();
      keptUntil = endedAt + KEPT_PER_DURATION * (endedAt - startedAt);
    }
  }

  return () => {
    if (latest === null || now() >= keptUntil) {
      keptUntil = Number.POSITIVE_INFINITY;
      latest = run();
    }
    return latest;
  };
}
