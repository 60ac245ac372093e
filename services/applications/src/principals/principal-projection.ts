import { isDeepStrictEqual } from 'node:util';
import { RevisionConflict } from '@tollgate/bus/kv';
import type { Logger } from '@tollgate/runtime/logger';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import type { PrincipalEntry } from './principal-entry.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';
import type { RestoreFromBucket } from './restore-from-bucket.ts';

/** Each conflict means that another writer succeeded, so many in a row indicate a fault rather than traffic. */
const MAX_ATTEMPTS = 10;

type Stored = Awaited<ReturnType<PrincipalsBucket['get']>>;

export interface PrincipalProjection {
  /**
   * Updates these entries of the bucket to MongoDB's state. Where the bucket is ahead of MongoDB because a backup was
   * restored, MongoDB is updated to the state of the bucket. Resolves to the number of entries written.
   */
  project(entryKeys: string[]): Promise<number>;
  /**
   * Like `project`, for a change that a member made: where the bucket is ahead of MongoDB because a backup was restored,
   * the stored version is raised above it, so that the change takes effect. If it fails, `project` does so later. A key
   * that was revoked since the backup stays revoked.
   */
  projectChange(entryKeys: string[]): Promise<number>;
}

/** The bucket has a later version than MongoDB. */
class BucketAhead extends Error {
  /** The entry in the bucket. */
  readonly entry: unknown;
  /** The entry that MongoDB's state requires. */
  readonly wanted: PrincipalEntry;

  constructor(entry: unknown, wanted: PrincipalEntry) {
    super(`The bucket is ahead of MongoDB, at version ${versionOf(entry)}.`);
    this.name = 'BucketAhead';
    this.entry = entry;
    this.wanted = wanted;
  }
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
  source: Pick<PrincipalSource, 'read' | 'raiseVersion'>;
  restoreFromBucket: RestoreFromBucket;
  signer: Signer;
  verifier: SignatureVerifier;
  logger: Logger;
}): PrincipalProjection {
  const { bucket, source, restoreFromBucket, signer, verifier, logger } = deps;

  /** Entries that a member changed and that are not projected yet. */
  const changed = new Set<string>();

  return {
    project: projectAll,
    projectChange(entryKeys) {
      for (const key of entryKeys) changed.add(key);
      return projectAll(entryKeys);
    },
  };

  /** Resolves to whether the entry must be projected again. */
  async function resolveAhead(entryKey: string, { entry, wanted }: BucketAhead): Promise<boolean> {
    const version = versionOf(entry);
    // No later change can have undone the revocation of a key.
    const isMongoDBRight = isRevoked(wanted) || (changed.has(entryKey) && !isRevoked(entry));
    if (isMongoDBRight) {
      await source.raiseVersion(entryKey, version + 1);
      return true;
    }
    if (await restoreFromBucket(entryKey, entry)) {
      logger.warn(
        { reason: entryKey, version },
        'restored MongoDB from the principals bucket, which was ahead',
      );
      return true;
    }
    logger.warn(
      { reason: entryKey, version },
      'kept the entry of the principals bucket: MongoDB was no longer behind it',
    );
    return false;
  }

  async function projectAll(entryKeys: string[]): Promise<number> {
    let written = 0;
    let remaining = entryKeys;
    for (let attempt = 0; remaining.length > 0; attempt++) {
      if (attempt === MAX_ATTEMPTS)
        throw new Error(`${remaining.length} principals kept changing while they were written`);
      const results = await projectOnce(remaining);
      written += results.written;
      remaining = results.again;
    }
    return written;
  }

  async function projectOnce(entryKeys: string[]): Promise<{ written: number; again: string[] }> {
    const stored = await Promise.all(entryKeys.map((key) => bucket.get(key)));
    const wanted = await source.read(entryKeys);
    const outcomes = await Promise.allSettled(
      entryKeys.map((key, index) => write(key, stored[index] ?? null, wanted.get(key))),
    );
    const again: string[] = [];
    let written = 0;
    for (const [index, outcome] of outcomes.entries()) {
      const key = entryKeys[index] as string;
      if (outcome.status === 'fulfilled') {
        written += outcome.value ? 1 : 0;
        changed.delete(key);
      } else if (outcome.reason instanceof RevisionConflict) again.push(key);
      else if (outcome.reason instanceof BucketAhead) {
        if (await resolveAhead(key, outcome.reason)) again.push(key);
      } else throw outcome.reason;
    }
    return { written, again };
  }

  /** Resolves to whether it wrote. Throws RevisionConflict when the entry is no longer `stored`, and BucketAhead. */
  async function write(
    key: string,
    stored: Stored,
    wanted: PrincipalEntry | null | undefined,
  ): Promise<boolean> {
    if (!wanted) {
      // An entry that denies access stays without its document: a restore may be in progress.
      if (!stored || (wanted === undefined && isRestriction(stored.value, key))) return false;
      await bucket.delete(key, stored.revision);
      return true;
    }
    if (!stored) {
      await bucket.create(key, signer.sign('principal', wanted, key));
      return true;
    }
    // Nothing of an entry that this service did not sign is kept, or signed with the next version.
    const isVerified = verifies(stored.value, key);
    if (isVerified && isAhead(stored.value, wanted)) throw new BucketAhead(stored.value, wanted);
    const next = signer.sign('principal', { ...(isVerified && laterFields(stored.value)), ...wanted }, key);
    // Different content with the same version comes from another release of the projection or from a foreign writer.
    if (isDeepStrictEqual(stored.value, next)) return false;
    await bucket.update(key, next, stored.revision);
    return true;
  }

  function verifies(value: unknown, key: string): boolean {
    return verifier.check('principal', value, key).fault === null;
  }

  /** Whether this service signed the entry, and the entry is of a revoked key or an archived application. */
  function isRestriction(value: unknown, key: string): boolean {
    return (isRevoked(value) || statusOf(value) === 'archived') && verifies(value, key);
  }
}

/** A member's changes since a restore may have raised the version of a key that was revoked before it. */
function isAhead(entry: unknown, wanted: PrincipalEntry): boolean {
  return versionOf(entry) > wanted.version || (isRevoked(entry) && !isRevoked(wanted));
}

function isRevoked(entry: unknown): boolean {
  return statusOf(entry) === 'revoked';
}

function statusOf(entry: unknown): unknown {
  return (entry as { status?: unknown } | null)?.status;
}

/** Fields that only a later release knows stay: its instance may run beside this one. */
function laterFields(value: unknown): object {
  const { signature: _, ...fields } = value as { signature?: unknown };
  return fields;
}

/** 0 for a value that is not a principal, so that the correct one replaces it. */
function versionOf(value: unknown): number {
  const version = (value as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? version : 0;
}
