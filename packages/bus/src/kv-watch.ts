import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { BusLogger } from './logger.ts';

export interface BucketStatus {
  /** RFC 3339 with nanoseconds. */
  createdAt: string;
  /** Sequence of the bucket's last write. */
  lastSequence: number;
  /** Stored entries, deletions included. */
  entries: number;
}

export interface BucketListener {
  /** All that the bucket holds; replaces everything that was told before. */
  onSnapshot(entries: Map<string, unknown>): void;
  /** One write after the snapshot; null means that the key holds nothing any more. */
  onEntry(key: string, value: unknown): void;
}

/** A watch on one life of a bucket: when the bucket is made anew, the watch falls silent without an error. */
export interface BucketWatch {
  createdAt: string;
  /** The listener was told of every write up to this sequence. */
  coveredSequence(): number;
  hasEnded(): boolean;
  /** The listener is told nothing more, not even what has already arrived. */
  stop(): void;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;

export async function readStatus(kv: KV): Promise<BucketStatus> {
  const { created, state } = (await kv.status()).streamInfo;
  return { createdAt: created, lastSequence: state.last_seq, entries: state.messages };
}

/**
 * Watches the bucket whose status was just read, and resolves when the listener got its snapshot.
 * Rejects, with the listener told nothing, when the bucket is gone or was made anew, or NATS does not deliver in time.
 */
export async function watchBucket(
  kv: KV,
  before: BucketStatus,
  listener: BucketListener,
  logger: BusLogger,
): Promise<BucketWatch> {
  const updates = await kv.watch();
  const snapshot = new Map<string, unknown>();
  const complete = Promise.withResolvers<void>();
  let loading = true;
  let stopped = false;
  let coveredSequence = before.lastSequence;

  function take(entry: KvWatchEntry): void {
    const value = storedValue(entry, logger);
    coveredSequence = Math.max(coveredSequence, entry.revision);
    if (!loading) tell(entry.key, value);
    else if (value === null) snapshot.delete(entry.key);
    else snapshot.set(entry.key, value);
    if (entry.isUpdate) complete.resolve();
  }

  /** A listener that fails over one entry still must hear of the next. */
  function tell(key: string, value: unknown): void {
    try {
      listener.onEntry(key, value);
    } catch (error) {
      logger.error({ err: error, key }, 'failed to apply a bucket entry');
    }
  }

  async function follow(): Promise<void> {
    for await (const entry of updates) {
      if (stopped) return;
      take(entry);
    }
  }

  function stop(): void {
    stopped = true;
    updates.stop();
  }

  async function load(): Promise<void> {
    const after = await readStatus(kv);
    if (after.createdAt !== before.createdAt) throw new Error('The bucket was made anew while it was read.');
    // The client marks the last of the initial entries, but says nothing when there are none.
    if (after.entries > 0) await complete.promise;
    loading = false;
    listener.onSnapshot(snapshot);
  }

  follow()
    .then(() => complete.reject(new Error('The watch ended before all entries were read.')), complete.reject)
    .finally(() => {
      stopped = true;
    });
  const timer = setTimeout(
    () => complete.reject(new Error('NATS did not deliver all entries in time.')),
    SNAPSHOT_TIMEOUT_MS,
  );
  timer.unref();
  // Handled where it is awaited, which is not everywhere.
  complete.promise.catch(() => undefined);
  try {
    await load();
  } catch (error) {
    stop();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return {
    createdAt: before.createdAt,
    coveredSequence: () => coveredSequence,
    hasEnded: () => stopped,
    stop,
  };
}

/** What is not JSON counts as absent: anyone who reads the entry would reject it anyhow. */
function storedValue(entry: KvWatchEntry, logger: BusLogger): unknown {
  if (entry.operation !== 'PUT') return null;
  try {
    return entry.json();
  } catch {
    logger.error({ key: entry.key }, 'ignored a bucket entry that is not JSON');
    return null;
  }
}
