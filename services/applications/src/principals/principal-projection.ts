import { isDeepStrictEqual } from 'node:util';
import { RevisionConflict } from '@tollgate/bus/kv';
import type { Logger } from '@tollgate/runtime/logger';
import type { PrincipalEntry } from './principal-entry.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';

/** Each conflict means that another writer got through, so that many in a row point to a fault and not to traffic. */
const MAX_ATTEMPTS = 10;

type Stored = Awaited<ReturnType<PrincipalsBucket['get']>>;

export interface PrincipalProjection {
  /** Brings these entries of the bucket up to MongoDB's state and resolves to how many it had to write. */
  project(entryKeys: string[]): Promise<number>;
}

/**
 * Writes what MongoDB says into the bucket that gateways mirror.
 *
 * For each entry the bucket's revision is read first and MongoDB after it, and the write names that revision. So whatever
 * another writer put there in between makes this write fail and start over: a writer that read before a revocation and
 * writes after it cannot bring the old state back. The order matters: the other way round, a revision read after the
 * revocation would let the state from before it pass.
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
          throw new Error(`${remaining.length} principals kept changing while written`);
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

  /** Resolves to whether it wrote. Throws RevisionConflict when the entry is not `stored` any more. */
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
      // MongoDB was read later, so it went back: a stale read during a failover, or a restored backup.
      logger.warn(
        { reason: key, version: wanted.version },
        'the principals bucket is ahead of MongoDB; kept the entry',
      );
      return false;
    }
    // The same version with other content was written by another release of the projection, or by someone else.
    if (isDeepStrictEqual(stored.value, wanted)) return false;
    await bucket.update(key, wanted, stored.revision);
    return true;
  }
}

/** 0 for a value that is not a principal, so that the real one replaces it. */
function versionOf(value: unknown): number {
  const version = (value as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? version : 0;
}
