import { isDeepStrictEqual } from 'node:util';
import { RevisionConflict } from '@tollgate/bus/kv';
import type { Logger } from '@tollgate/runtime/logger';
import type { SignatureVerifier, Signer } from '@tollgate/security/signature';
import type { PrincipalEntry } from './principal-entry.ts';
import type { PrincipalSource } from './principal-source.ts';
import type { PrincipalsBucket } from './principals-bucket.ts';

/** Each conflict means that another writer succeeded, so many in a row indicate a fault rather than traffic. */
const MAX_ATTEMPTS = 10;

type Stored = Awaited<ReturnType<PrincipalsBucket['get']>>;

export interface PrincipalProjection {
  /**
   * Updates these entries of the bucket to MongoDB's state. An entry whose version is ahead of MongoDB stays. Resolves to
   * the number of entries written.
   */
  project(entryKeys: string[]): Promise<number>;
  /**
   * Like `project`, for a change that a member made: where the bucket is ahead of MongoDB because a backup was restored,
   * the stored version is raised above it, so that the change takes effect. If it fails, `project` does so later.
   */
  projectChange(entryKeys: string[]): Promise<number>;
}

/** The bucket has a later version than MongoDB. */
class BucketAhead extends Error {
  readonly version: number;
  /** Whether MongoDB has a revoked key, which no later change can have restored. */
  readonly isRevoked: boolean;

  constructor(version: number, wanted: PrincipalEntry) {
    super(`The bucket is ahead of MongoDB, at version ${version}.`);
    this.name = 'BucketAhead';
    this.version = version;
    this.isRevoked = wanted.status === 'revoked';
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
  signer: Signer;
  verifier: SignatureVerifier;
  logger: Logger;
}): PrincipalProjection {
  const { bucket, source, signer, verifier, logger } = deps;

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
  async function overtake(entryKey: string, { version, isRevoked }: BucketAhead): Promise<boolean> {
    if (changed.has(entryKey) || isRevoked) {
      await source.raiseVersion(entryKey, version + 1);
      return true;
    }
    // MongoDB was read later and is older: a stale read during a failover, or a restored backup.
    logger.warn({ reason: entryKey, version }, 'the principals bucket is ahead of MongoDB; kept the entry');
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
      entryKeys.map((key, index) => bring(key, stored[index] ?? null, wanted.get(key) ?? null)),
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
        if (await overtake(key, outcome.reason)) again.push(key);
      } else throw outcome.reason;
    }
    return { written, again };
  }

  /** Resolves to whether it wrote. Throws RevisionConflict when the entry is no longer `stored`, and BucketAhead. */
  async function bring(key: string, stored: Stored, wanted: PrincipalEntry | null): Promise<boolean> {
    if (!wanted) {
      if (!stored) return false;
      await bucket.delete(key, stored.revision);
      return true;
    }
    if (!stored) {
      await bucket.create(key, signer.sign('principal', wanted, key));
      return true;
    }
    // Nothing of an entry that this service did not sign is believed, or signed with the next version.
    const isBelieved = verifier.check('principal', stored.value, key).distrust === null;
    if (isBelieved && versionOf(stored.value) > wanted.version)
      throw new BucketAhead(versionOf(stored.value), wanted);
    const next = signer.sign('principal', { ...(isBelieved && laterFields(stored.value)), ...wanted }, key);
    // Different content with the same version comes from another release of the projection or from a foreign writer.
    if (isDeepStrictEqual(stored.value, next)) return false;
    await bucket.update(key, next, stored.revision);
    return true;
  }
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
