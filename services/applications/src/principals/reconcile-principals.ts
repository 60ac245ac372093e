import type { Clock } from '@tollgate/runtime/clock';
import type { Logger } from '@tollgate/runtime/logger';
import type { ApplicationStore } from '../applications/application-store.ts';
import { removeDeleted } from '../applications/remove-deleted.ts';
import type { ApiKeyStore } from '../keys/api-key-store.ts';
import type { PrincipalProjection } from './principal-projection.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';

/** Rotations that are completed at once. */
const BATCH_SIZE = 100;

/** A change is projected when it is made. This interval limits how long a missed one can stay unprojected. */
export const RECONCILE_INTERVAL_MS = 3 * 60 * 1000;

export interface PrincipalReconciler {
  /**
   * Reconciles when due: at the first call, when NATS lost the bucket, after `reconcileSoon`, and every few minutes.
   * Otherwise it costs one request to NATS. Resolves to the number of entries written, or null when it was not due.
   */
  reconcileIfDue(): Promise<number | null>;
  /** Makes the next `reconcileIfDue` reconcile, because a projection failed. */
  reconcileSoon(): void;
  /** Whether the bucket has been complete once since this process started. */
  hasReconciled(): boolean;
}

/**
 * Updates the whole bucket to MongoDB's state: entries that are missing, outdated, or without a document. Then removes what
 * deleted applications leave.
 */
export function createPrincipalReconciler(deps: {
  bucket: PrincipalsBucket;
  source: PrincipalSource;
  projection: PrincipalProjection;
  applications: ApplicationStore;
  apiKeys: ApiKeyStore;
  clock: Clock;
  logger: Logger;
}): PrincipalReconciler {
  const { bucket, source, projection, applications, apiKeys, clock, logger } = deps;
  /** The bucket that was last complete, and when. Only a complete run counts: one that failed halfway is due again. */
  let completed: { bucketCreatedAt: string; atMs: number } | null = null;
  let requested = 1;
  let served = 0;

  async function reconcile(): Promise<{ bucketCreatedAt: string; written: number }> {
    const startedAt = new Date(clock.now());
    // First, because it needs MongoDB: an empty bucket that cannot be filled would make gateways forget every key.
    await completeRotations(apiKeys);
    const bucketCreatedAt = await bucket.ensure();
    const leftOver = new Set(await bucket.principalKeys());
    let written = 0;
    for await (const entryKeys of source.listEntryKeys()) {
      written += await projection.project(entryKeys);
      for (const key of entryKeys) leftOver.delete(key);
    }
    // An entry without a document would be a key that no member can see or revoke. Documents are written before their
    // entries, so a leftover entry is either a key created in the meantime, which the projection keeps, or is correctly
    // removed.
    written += await projection.project([...leftOver]);
    // When NATS loses the bucket, another instance recreates it, without the entries that this run wrote first.
    if ((await bucket.createdAt()) !== bucketCreatedAt)
      throw new Error('The principals bucket was recreated while it was filled.');
    await bucket.markComplete();
    await removeDeleted({ applications, apiKeys, projection }, startedAt);
    return { bucketCreatedAt, written };
  }

  return {
    async reconcileIfDue() {
      const isLost = completed !== null && completed.bucketCreatedAt !== (await bucket.createdAt());
      if (isLost) logger.warn('NATS lost the principals bucket; rebuilding it');
      const isOld = completed !== null && clock.now() - completed.atMs >= RECONCILE_INTERVAL_MS;
      if (!isLost && !isOld && served === requested) return null;

      const atMs = clock.now();
      // A request that arrives during a run may concern an entry that the run has already passed: it stays for the next
      // run.
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

/** Finishes rotations that a crash interrupted between their two writes. Inserts each decided successor once. */
async function completeRotations(apiKeys: ApiKeyStore): Promise<void> {
  for (;;) {
    const rotating = await apiKeys.findAllRotating(BATCH_SIZE);
    if (rotating.length === 0) return;
    for (const key of rotating) await apiKeys.completeRotation(key);
  }
}
