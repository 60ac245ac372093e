import type { Bus } from '@tollgate/bus/connection';
import { BucketMissing, openBucket } from '@tollgate/bus/kv';
import {
  ApplicationEntry,
  applicationEntryKey,
  PRINCIPALS_BUCKET,
} from '@tollgate/contracts/applications/principal';
import { openReader } from '@tollgate/contracts/platform/open-reader';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { CountUnverified } from '@tollgate/runtime/unverified-messages';
import type { SignatureVerifier } from '@tollgate/security/signature';

/** The applications, as the applications service publishes them to the gateways. */
export function createApplicationDirectory(
  bus: Bus,
  { verifier, countUnverified }: { verifier: SignatureVerifier; countUnverified: CountUnverified },
) {
  return {
    /** Returns the team's application. Null when it is unknown, deleted, or another team's. Throws `unavailable`. */
    async find(teamId: string, applicationId: string): Promise<{ isArchived: boolean } | null> {
      const entryKey = applicationEntryKey(applicationId);
      const value = await readEntry(bus, entryKey);
      if (value === undefined) return null;
      const { fault } = verifier.check('principal', value, entryKey);
      if (fault !== null) {
        countUnverified('principal', fault);
        return null;
      }
      const entry = openReader(ApplicationEntry).read(value);
      if (entry?.team_id !== teamId || entry.deleted_at !== null) return null;
      return { isArchived: entry.status === 'archived' };
    },
  };
}

async function readEntry(bus: Bus, key: string): Promise<unknown> {
  const unavailable = new Problem('unavailable', 'Applications are temporarily unavailable.', {
    retryAfterS: 1,
  });
  if (!bus.isConnected()) throw unavailable;
  try {
    const bucket = await openBucket(bus, PRINCIPALS_BUCKET, { create: false });
    return (await bucket.get(key))?.value;
  } catch (error) {
    if (error instanceof BucketMissing) throw unavailable;
    throw error;
  }
}
