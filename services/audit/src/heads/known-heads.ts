import { headSignatureHolds } from '@tollgate/audit-log/head';
import type { VerifyingKey } from '@tollgate/audit-log/keys';
import type { Bus } from '@tollgate/bus/connection';
import { type Bucket, BucketMissing, openBucket, RevisionConflict } from '@tollgate/bus/kv';
import { AUDIT_HEADS_BUCKET, AuditHead } from '@tollgate/contracts/audit/audit-log';
import { openReader } from '@tollgate/contracts/platform/open-reader';

const HeadReader = openReader(AuditHead);

export type KnownHeads = ReturnType<typeof createKnownHeads>;

/**
 * The newest tree head of each log, kept in NATS, so that a restore of MongoDB, or an attack on it, does not remove the tree head.
 * If NATS loses it, the next signed tree head replaces it.
 */
export function createKnownHeads(bus: Bus, publicKeys: readonly VerifyingKey[]) {
  let handle: Promise<Bucket> | null = null;

  /** Runs the operation on the bucket, which this service creates at first and when NATS has lost it. */
  async function withBucket<T>(operation: (bucket: Bucket) => Promise<T>): Promise<T> {
    handle ??= openBucket(bus, AUDIT_HEADS_BUCKET, { create: true });
    try {
      return await operation(await handle);
    } catch (error) {
      if (!(error instanceof RevisionConflict)) handle = null;
      throw error;
    }
  }

  async function read(teamId: string): Promise<{ head: AuditHead | null; revision: number } | null> {
    const entry = await withBucket((bucket) => bucket.get(teamId)).catch((error: unknown) => {
      if (error instanceof BucketMissing) return withBucket((bucket) => bucket.get(teamId));
      throw error;
    });
    if (entry === null) return null;
    const head = HeadReader.read(entry.value);
    const isSigned = head?.team_id === teamId && headSignatureHolds(head, publicKeys);
    return { head: isSigned ? head : null, revision: entry.revision };
  }

  /** Writes what `decide` returns for the known head, until no other instance writes in between. */
  async function change(
    teamId: string,
    decide: (known: AuditHead | null) => AuditHead | null,
  ): Promise<void> {
    for (;;) {
      const entry = await read(teamId);
      const head = decide(entry?.head ?? null);
      try {
        if (head === null) {
          if (entry) await withBucket((bucket) => bucket.delete(teamId, entry.revision));
        } else if (entry === null) await withBucket((bucket) => bucket.create(teamId, head));
        else if (head !== entry.head)
          await withBucket((bucket) => bucket.update(teamId, head, entry.revision));
        return;
      } catch (error) {
        if (!(error instanceof RevisionConflict)) throw error;
      }
    }
  }

  return {
    find: async (teamId: string) => (await read(teamId))?.head ?? null,
    /** Stores the head unless a later one is known. */
    note: (head: AuditHead) =>
      change(head.team_id, (known) => (known && known.number >= head.number ? known : head)),
    /** Stores the head even if a later one is known, because the log was restored. Null if the restored log has no head. */
    reset: (teamId: string, head: AuditHead | null) => change(teamId, () => head),
  };
}
