import type { Bus } from '@tollgate/bus/connection';
import { type Bucket, BucketMissing, openBucket } from '@tollgate/bus/kv';
import { PRINCIPALS_BUCKET } from '@tollgate/contracts/principal';

export interface PrincipalsBucket extends Pick<Bucket, 'get' | 'create' | 'update' | 'delete' | 'keys'> {
  /**
   * Makes the bucket when it is missing and resolves to its creation time: another value than before means that NATS
   * lost it and that it has to be filled again. Rejects when NATS is away.
   */
  ensure(): Promise<string>;
}

/** The KV bucket that gateways mirror. This service alone creates it. */
export function createPrincipalsBucket(bus: Bus): PrincipalsBucket {
  let opened: Promise<Bucket> | null = null;

  function open(): Promise<Bucket> {
    // While disconnected the client would hold requests back and report a time-out seconds later.
    if (!bus.isConnected()) return Promise.reject(new Error('NATS is not connected'));
    opened ??= openBucket(bus, PRINCIPALS_BUCKET, { create: true }).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  }

  return {
    get: async (key) => (await open()).get(key),
    create: async (key, value) => (await open()).create(key, value),
    update: async (key, value, revision) => (await open()).update(key, value, revision),
    delete: async (key, revision) => (await open()).delete(key, revision),
    keys: async () => (await open()).keys(),
    async ensure() {
      try {
        return await (await open()).createdAt();
      } catch (error) {
        if (!(error instanceof BucketMissing)) throw error;
        opened = null;
        return (await open()).createdAt();
      }
    },
  };
}
