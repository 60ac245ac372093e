import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import { completeRotations } from '../keys/complete-rotations.ts';
import type { PrincipalProjection } from './principal-projection.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';

/** A change is projected when it is made; this bounds how long one that was missed can stay so. */
export const RECONCILE_INTERVAL_MS = 3 * 60 * 1000;

export interface PrincipalReconciler {
  /**
   * Reconciles when it is due: at the first call, when NATS lost the bucket, after `reconcileSoon`, and every few minutes.
   * Costs one request to NATS when it is not. Resolves to the number of entries written, null when it was not due.
   */
  reconcileIfDue(): Promise<number | null>;
  /** Makes the next `reconcileIfDue` reconcile: a projection failed. */
  reconcileSoon(): void;
  /** Whether the bucket has been complete once since this process started. */
  hasReconciled(): boolean;
}

/** Brings the whole bucket up to MongoDB's state: what is missing, old, or has no document any more. */
export function createPrincipalReconciler(deps: {
  bucket: PrincipalsBucket;
  source: PrincipalSource;
  projection: PrincipalProjection;
  apiKeys: ApiKeyStore;
  clock: Clock;
  logger: Logger;
}): PrincipalReconciler {
  const { bucket, source, projection, apiKeys, clock, logger } = deps;
  /** The bucket that was complete last, and when. Only a complete run counts: one that failed half-way is due again. */
  let completed: { bucketCreatedAt: string; atMs: number } | null = null;
  let requested = 1;
  let served = 0;

  async function reconcile(): Promise<{ bucketCreatedAt: string; written: number }> {
    // First, because it needs MongoDB: an empty bucket that cannot be filled would make gateways forget every key.
    await completeRotations(apiKeys);
    const bucketCreatedAt = await bucket.ensure();
    const leftOver = new Set(await bucket.principalKeys());
    let written = 0;
    for await (const entryKeys of source.listEntryKeys()) {
      written += await projection.project(entryKeys);
      for (const key of entryKeys) leftOver.delete(key);
    }
    // An entry without a document would be a key that nobody can see or revoke. Documents come before their entries, so
    // what is left over is a key made in the meantime, which the projection keeps, or is rightly removed.
    written += await projection.project([...leftOver]);
    // Another instance makes it anew when NATS loses it, and then what this run wrote first is not in it.
    if ((await bucket.createdAt()) !== bucketCreatedAt)
      throw new Error('The principals bucket was made anew while it was filled.');
    await bucket.markComplete();
    return { bucketCreatedAt, written };
  }

  return {
    async reconcileIfDue() {
      const isLost = completed !== null && completed.bucketCreatedAt !== (await bucket.createdAt());
      if (isLost) logger.warn('NATS lost the principals bucket; rebuilding it');
      const isOld = completed !== null && clock.now() - completed.atMs >= RECONCILE_INTERVAL_MS;
      if (!isLost && !isOld && served === requested) return null;

      const atMs = clock.now();
      // A request that comes while this runs may be about an entry that was already passed: it stays for the next run.
      const requestedBefore = requested;
      const { bucketCreatedAt, written } = await reconcile();
      completed = { bucketCreatedAt, atMs };
      served = requestedBefore;
      logger.info({ count: written }, 'principals reconciled');
      return written;
    },
    reconcileSoon() {
      requested++;
    },
    hasReconciled: () => completed !== null,
  };
}
