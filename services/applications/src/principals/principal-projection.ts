import { isDeepStrictEqual } from 'node:util';
import { RevisionConflict } from '@tollgate/bus/kv';
import type { Logger } from '@tollgate/runtime/logger';
import type { PrincipalEntry } from './principal-entry.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';

/** Each conflict means that another writer succeeded, so many in a row indicate a fault rather than traffic. */
const MAX_ATTEMPTS = 10;

type Stored = Awaited<ReturnType<PrincipalsBucket['get']>>;

export interface PrincipalProjection {
  /** Updates these entries of the bucket to MongoDB's state. Resolves to the number of entries written. */
  project(entryKeys: string[]): Promise<number>;
}

/**
 * Writes MongoDB's state into the bucket that gateways mirror.
 *
 * For each entry, the projection first reads the bucket's revision, then MongoDB, and its write names that revision. If
 * another writer changes the entry in between, this write fails and starts over: a writer that read before a revocation
 * and writes after it cannot restore the old state. The order matters: a revision read after MongoDB could already
 * include the revocation, and the write would then restore the state from before it.
 */
export function createPrincipalProjection(deps: {
  bucket: PrincipalsBucket;
  source: Pick<PrincipalSource, 'read'>;
  logger: Logger;
}): PrincipalProjection {
  const { bucket, source, logger } = deps;

  return {
    async project(entryKeys) {
      let written = 0;
      let remaining = entryKeys;
      for (let attempt = 0; remaining.length > 0; attempt++) {
        if (attempt === MAX_ATTEMPTS)
          throw new Error(`${remaining.length} principals kept changing while they were written`);
        const results = await projectOnce(remaining);
        written += results.written;
        remaining = results.conflicts;
      }
      return written;
    },
  };

  async function projectOnce(entryKeys: string[]): Promise<{ written: number; conflicts: string[] }> {
    const stored = await Promise.all(entryKeys.map((key) => bucket.get(key)));
    const wanted = await source.read(entryKeys);
    const outcomes = await Promise.allSettled(
      entryKeys.map((key, index) => bring(key, stored[index] ?? null, wanted.get(key) ?? null)),
    );
    const conflicts: string[] = [];
    let written = 0;
    outcomes.forEach((outcome, index) => {
      if (outcome.status === 'fulfilled') written += outcome.value ? 1 : 0;
      else if (outcome.reason instanceof RevisionConflict) conflicts.push(entryKeys[index] as string);
      else throw outcome.reason;
    });
    return { written, conflicts };
  }

  /** Resolves to whether it wrote. Throws RevisionConflict when the entry is no longer `stored`. */
  async function bring(key: string, stored: Stored, wanted: PrincipalEntry | null): Promise<boolean> {
    if (!wanted) {
      if (!stored) return false;
      await bucket.delete(key, stored.revision);
      return true;
    }
    if (!stored) {
      await bucket.create(key, wanted);
      return true;
    }
    const storedVersion = versionOf(stored.value);
    if (storedVersion > wanted.version) {
      // MongoDB was read later and is older: a stale read during a failover, or a restored backup.
      logger.warn(
        { reason: key, version: wanted.version },
        'the principals bucket is ahead of MongoDB; kept the entry',
      );
      return false;
    }
    // Fields that only a later release knows stay: its instance may run beside this one.
    const next = { ...(stored.value as object), ...wanted };
    // Different content with the same version comes from another release of the projection or from a foreign writer.
    if (isDeepStrictEqual(stored.value, next)) return false;
    await bucket.update(key, next, stored.revision);
    return true;
  }
}

/** 0 for a value that is not a principal, so that the correct one replaces it. */
function versionOf(value: unknown): number {
  const version = (value as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? version : 0;
}
