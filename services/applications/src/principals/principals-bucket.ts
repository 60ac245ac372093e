import type { Bus } from '@tollgate/bus/connection';
import { type Bucket, BucketMissing, openBucket, RevisionConflict } from '@tollgate/bus/kv';
import { COMPLETE_ENTRY_KEY, PRINCIPALS_BUCKET } from '@tollgate/contracts/principal';

export interface PrincipalsBucket extends Pick<Bucket, 'get' | 'create' | 'update' | 'delete'> {
  /** Keys of all entries that are principals. */
  principalKeys(): Promise<string[]>;
  /** Tells gateways that every principal is in the bucket. */
  markComplete(): Promise<void>;
  /** Null when the bucket is missing. Another value than before means that NATS lost it: it must be filled again. */
  createdAt(): Promise<string | null>;
  /** Makes the bucket when it is missing. Resolves to its creation time. */
  ensure(): Promise<string>;
}

/**
 * The KV bucket that gateways mirror. This service alone creates it, in `ensure` and nowhere else: gateways stay on
 * what they have until it is complete, so it is made only when it can be filled.
 */
export function createPrincipalsBucket(bus: Bus): PrincipalsBucket {
  /** One handle serves every life of the bucket: it only addresses it by name. */
  let handle: Promise<Bucket> | null = null;

  async function open(): Promise<Bucket> {
    requireConnection();
    handle ??= openBucket(bus, PRINCIPALS_BUCKET, { create: false }).catch((error: unknown) => {
      handle = null;
      throw error;
    });
    return handle;
  }

  /** While disconnected the client would hold requests back and report a time-out seconds later. */
  function requireConnection(): void {
    if (!bus.isConnected()) throw new Error('NATS is not connected');
  }

  return {
    get: async (key) => (await open()).get(key),
    create: async (key, value) => (await open()).create(key, value),
    update: async (key, value, revision) => (await open()).update(key, value, revision),
    delete: async (key, revision) => (await open()).delete(key, revision),
    principalKeys: async () => (await (await open()).keys()).filter((key) => key !== COMPLETE_ENTRY_KEY),
    async markComplete() {
      const bucket = await open();
      if (await bucket.get(COMPLETE_ENTRY_KEY)) return;
      await bucket.create(COMPLETE_ENTRY_KEY, true).catch((error: unknown) => {
        // Another instance was as fast.
        if (!(error instanceof RevisionConflict)) throw error;
      });
    },
    async ensure() {
      requireConnection();
      return (await openBucket(bus, PRINCIPALS_BUCKET, { create: true })).createdAt();
    },
    async createdAt() {
      try {
        return await (await open()).createdAt();
      } catch (error) {
        if (error instanceof BucketMissing) return null;
        throw error;
      }
    },
  };
}
