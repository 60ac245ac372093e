import { jetstreamManager } from '@nats-io/jetstream';
import { type KV, Kvm } from '@nats-io/kv';
import type { Bus } from './connection.ts';
import { isStreamNotFound, isUnstored, isWrongRevision } from './jetstream-errors.ts';

/** Only the newest value of each key: old values must not stay. */
const HISTORY = 1;
/** Timeout between one key of a listing and the next, or its end. */
const KEYS_SILENCE_MS = 2_000;

/** Another writer changed the entry: read it again, then decide. */
export class RevisionConflict extends Error {
  constructor(bucket: string, key: string, options?: ErrorOptions) {
    super(`Entry ${key} of bucket ${bucket} was changed by another writer.`, options);
    this.name = 'RevisionConflict';
  }
}

/** The bucket does not exist, for example because NATS lost its store. Its owner creates it with `create`. */
export class BucketMissing extends Error {
  constructor(bucket: string, options?: ErrorOptions) {
    super(`Bucket ${bucket} does not exist. The service that owns it must create it.`, options);
    this.name = 'BucketMissing';
  }
}

/** A bucket of JSON values. Every method throws BucketMissing while the bucket does not exist. */
export interface Bucket {
  get(key: string): Promise<{ value: unknown; revision: number } | null>;
  /** Writes a key that has no value. Throws RevisionConflict if it has one. Resolves to the new revision. */
  create(key: string, value: unknown): Promise<number>;
  /** Writes a key with this current revision. Throws RevisionConflict for any other. Resolves to the new revision. */
  update(key: string, value: unknown, revision: number): Promise<number>;
  /** Deletes a key with this current revision. Throws RevisionConflict for any other. */
  delete(key: string, revision: number): Promise<void>;
  keys(): Promise<string[]>;
  /** The entries that were written after this revision, oldest first. Those written meanwhile may be missing. */
  readAfter(revision: number): AsyncGenerator<{ value: unknown; revision: number }, void, undefined>;
  /**
   * Creation time of the bucket, RFC 3339 with nanoseconds. A different time means a different bucket, without the old
   * entries.
   */
  createdAt(): Promise<string>;
}

/** Opens a bucket. With `create`, creates it if it is missing. Only the service that owns a bucket creates it. */
export async function openBucket(bus: Bus, name: string, { create }: { create: boolean }): Promise<Bucket> {
  const kvm = new Kvm(bus.nats);
  const kv = await bus.whileConnected(() =>
    create
      ? kvm.create(name, { history: HISTORY, replicas: bus.replicas, allow_direct: false })
      : kvm.open(name),
  );

  const run = <T>(key: string, operation: () => Promise<T>) =>
    translated(name, key, () => bus.whileConnected(operation));

  return {
    get: (key) => run(key, () => read(kv, key)),
    create: (key, value) => run(key, () => kv.create(key, JSON.stringify(value))),
    update: (key, value, revision) => run(key, async () => kv.update(key, JSON.stringify(value), revision)),
    delete: (key, revision) => run(key, () => kv.delete(key, { previousSeq: revision })),
    keys: () => run('', () => listKeys(kv)),
    async *readAfter(revision) {
      const { state } = await run('', async () => (await kv.status()).streamInfo);
      const manager = await jetstreamManager(bus.nats, { checkAPI: false });
      for (let seq = Math.max(revision + 1, state.first_seq); seq <= state.last_seq; seq += 1) {
        const message = await bus.whileConnected(() => manager.streams.getMessage(`KV_${name}`, { seq }));
        // Null if a later write of the key replaced this entry. A deletion has no value.
        if (message !== null && message.data.length > 0) yield { value: message.json(), revision: seq };
      }
    },
    createdAt: () => run('', async () => (await kv.status()).streamInfo.created),
  };
}

async function read(kv: KV, key: string): Promise<{ value: unknown; revision: number } | null> {
  const entry = await kv.get(key);
  if (entry === null || entry.operation !== 'PUT') return null;
  return { value: entry.json(), revision: entry.revision };
}

async function listKeys(kv: KV): Promise<string[]> {
  const listing = await kv.keys();
  // A listing never ends if the server dies during it, so it times out and the caller tries again.
  const silence = setTimeout(
    () => listing.stop(new Error('NATS stopped responding before it had listed all keys.')),
    KEYS_SILENCE_MS,
  );
  try {
    const keys: string[] = [];
    for await (const key of listing) {
      keys.push(key);
      silence.refresh();
    }
    return keys;
  } finally {
    clearTimeout(silence);
  }
}

async function translated<T>(bucket: string, key: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (isWrongRevision(error)) throw new RevisionConflict(bucket, key, { cause: error });
    if (isStreamNotFound(error) || isUnstored(error)) throw new BucketMissing(bucket, { cause: error });
    throw error;
  }
}
