import type { Bus } from '@tollgate/bus/connection';
import { type Bucket, BucketMissing, openBucket, RevisionConflict } from '@tollgate/bus/kv';
import { COMPLETE_ENTRY_KEY, PRINCIPALS_BUCKET } from '@tollgate/contracts/applications/principal';

export interface PrincipalsBucket extends Pick<Bucket, 'get' | 'create' | 'update' | 'delete'> {
  /** Keys of all entries that are principals. */
  principalKeys(): Promise<string[]>;
  /** Marks the bucket as complete: gateways then know that it contains every principal. */
  markComplete(): Promise<void>;
  /**
   * Null when the bucket is missing. A different value than before means that NATS lost the bucket and it must be
   * refilled.
   */
  createdAt(): Promise<string | null>;
  /** Creates the bucket when it is missing. Resolves to its creation time. */
  ensure(): Promise<string>;
}

/**
 * The KV bucket that gateways mirror. Only this service creates it, and only in `ensure`: gateways keep their current
 * state until the bucket is complete, so it is created only when it can be filled.
 */
export function createPrincipalsBucket(bus: Bus): PrincipalsBucket {
  /** One handle stays valid when the bucket is recreated: it addresses the bucket by name. */
  let handle: Promise<Bucket> | null = null;

  async function open(): Promise<Bucket> {
    handle ??= openBucket(bus, PRINCIPALS_BUCKET, { create: false }).catch((error: unknown) => {
      handle = null;
      throw error;
    });
    return handle;
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
        // Another instance was equally fast.
        if (!(error instanceof RevisionConflict)) throw error;
      });
    },
    async ensure() {
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
