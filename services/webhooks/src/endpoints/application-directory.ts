import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@tollgate/bus/connection';
import { BucketMissing, openBucket } from '@tollgate/bus/kv';
import { ApplicationEntry, applicationEntryKey, PRINCIPALS_BUCKET } from '@tollgate/contracts/principal';
import { Problem } from '@tollgate/contracts/problem';
import { Compile } from 'typebox/compile';

/** Which applications there are, as the applications service tells gateways. */
export interface ApplicationDirectory {
  /** The team's application. Null when it is another team's or unknown. Throws `unavailable`. */
  find(teamId: string, applicationId: string): Promise<{ isArchived: boolean } | null>;
}

/** An application that was just created can still be on its way: NATS may take seconds, and the reply to its creation does not wait for ever. */
const MAX_LOOKS = 5;
const PAUSE_MS = 250;

const schema = Compile(ApplicationEntry);

export function createApplicationDirectory(bus: Bus): ApplicationDirectory {
  return {
    async find(teamId, applicationId) {
      for (let look = 1; ; look += 1) {
        const entry = await readEntry(bus, applicationEntryKey(applicationId));
        if (schema.Check(entry) && entry.team_id === teamId)
          return { isArchived: entry.status === 'archived' };
        // Another team's takes as long as one that is nowhere, so that the time does not tell them apart.
        if (look === MAX_LOOKS) return null;
        await delay(PAUSE_MS);
      }
    },
  };
}

async function readEntry(bus: Bus, key: string): Promise<unknown> {
  const unavailable = new Problem('unavailable', 'The applications cannot be looked up at the moment.', {
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
