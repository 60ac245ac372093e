import type { KV, KvWatchEntry } from '@nats-io/kv';
import type { BusLogger } from './logger.ts';

export interface BucketStatus {
  /** RFC 3339 with nanoseconds. */
  createdAt: string;
  /** Sequence of the bucket's latest write. */
  lastSequence: number;
  /** Stored entries, including deletions. */
  entries: number;
}

export interface BucketListener {
  /**
   * All entries of the bucket. Replaces everything reported before. Another creation time than before means another
   * bucket.
   */
  onSnapshot(entries: Map<string, unknown>, createdAt: string): void;
  /** One write after the snapshot. Null means that the key was deleted. */
  onEntry(key: string, value: unknown): void;
}

/** A watch on one incarnation of a bucket: when the bucket is created again, the watch goes silent without an error. */
export interface BucketWatch {
  createdAt: string;
  /** The listener has received every write up to this sequence. */
  coveredSequence(): number;
  hasEnded(): boolean;
  /** Calls the listener no more, not even for what has already arrived. */
  stop(): void;
}

const SNAPSHOT_TIMEOUT_MS = 30_000;

export async function readStatus(kv: KV): Promise<BucketStatus> {
  const { created, state } = (await kv.status()).streamInfo;
  return { createdAt: created, lastSequence: state.last_seq, entries: state.messages };
}

/**
 * Watches the bucket whose status was just read, and resolves when the listener received its snapshot. Rejects, without
 * calling the listener, when the bucket is missing or was created again, or NATS does not deliver in time.
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
    if (!loading) notify(entry.key, value);
    else if (value === null) snapshot.delete(entry.key);
    else snapshot.set(entry.key, value);
    if (entry.isUpdate) complete.resolve();
  }

  /** A listener that fails on one entry must still receive the next. */
  function notify(key: string, value: unknown): void {
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
    if (after.createdAt !== before.createdAt) throw new Error('The bucket was recreated while it was read.');
    // The client marks the last of the initial entries, but reports nothing when there are none.
    if (after.entries > 0) await complete.promise;
    loading = false;
    listener.onSnapshot(snapshot, before.createdAt);
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
  // The rejection is handled where the promise is awaited, which does not always happen.
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

/** A value that is not JSON counts as absent: its readers would reject it anyway. */
function storedValue(entry: KvWatchEntry, logger: BusLogger): unknown {
  if (entry.operation !== 'PUT') return null;
  try {
    return entry.json();
  } catch {
    logger.error({ key: entry.key }, 'ignored a bucket entry that is not JSON');
    return null;
  }
}
