import type { Store } from './store.ts';

/** How long the WAL may contain data that was deleted. */
const INTERVAL_MS = 30_000;

/** Empties the WAL regularly while there are writes, so that erased data leaves the disk. */
export function startLogEmptying(store: Pick<Store, 'commits' | 'emptyLog'>): { stop(): void } {
  let emptiedAt = store.commits();
  const timer = setInterval(() => {
    if (store.commits() === emptiedAt) return;
    try {
      // While a read holds a snapshot, it stays. The next round tries again.
      if (store.emptyLog()) emptiedAt = store.commits();
    } catch (error) {
      // The disk is full. The next round tries again.
      process.emitWarning(`The write-ahead log could not be emptied: ${error}`, 'EmbeddedMongodbWarning');
    }
  }, INTERVAL_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
