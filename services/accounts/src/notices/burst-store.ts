import { HOUR_MS, MINUTE_MS } from '@tollgate/contracts/durations';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';

/** For so long after the first notice, further ones of the same kind to the same recipient are combined. */
const BURST_MS = HOUR_MS;
/**
 * What fails at once is detected within minutes: the first digest has most of a burst, while it is still news. The second one, at the
 * end, has the rest. So no recipient gets more than three messages of a kind in an hour.
 */
const FIRST_DIGEST_AFTER_MS = 10 * MINUTE_MS;
/** Losing this many races in a row would take more instances than run. */
const MAX_ATTEMPTS = 10;

interface BurstDocument {
  /** Channel, recipient, environment, and kind of the notices. */
  _id: string;
  team_id: string;
  started_at: Date;
  /** The entry whose notice is sent at once. */
  first_entry_id: string;
}

/** Where the notice about an entry goes: at once to the recipient, or into the digest with this id. */
export type Placement = { digest: null } | { digest: { id: string; dueAt: Date } };

export interface BurstStore {
  /** A repetition for the same entry has the same result while the burst lasts. */
  place(burst: { key: string; teamId: string }, entryId: string, now: Date): Promise<Placement>;
  deleteStartedBefore(time: Date): Promise<void>;
}

const schema = new Schema<BurstDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    started_at: { type: Date, required: true },
    first_entry_id: { type: String, required: true },
  },
  { collection: 'notice_bursts', versionKey: false, strict: 'throw', autoCreate: false },
);

export const BURST_INDEXES: readonly IndexDeclaration[] = [
  { key: { started_at: 1 }, purpose: 'Finds old bursts to delete' },
];

export function createBurstStore(connection: Connection): BurstStore {
  const model = connection.model<BurstDocument>('NoticeBurst', schema);

  return {
    async place({ key, teamId }, entryId, now) {
      const begun = { started_at: now, first_entry_id: entryId };
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const burst = await model.findOne({ _id: key, team_id: teamId }).lean();
        if (burst && now.getTime() - burst.started_at.getTime() < BURST_MS)
          return burst.first_entry_id === entryId ? { digest: null } : { digest: digestOf(burst, now) };
        const { _id, started_at } = burst ?? { _id: key };
        const isBegun = started_at
          ? (await model.updateOne({ _id, team_id: teamId, started_at }, { $set: begun })).matchedCount === 1
          : await wroteUnlessDuplicate(model.create([{ _id, team_id: teamId, ...begun }]));
        if (isBegun) return { digest: null };
      }
      throw new Error(`The burst ${key} is being changed by too many instances.`);
    },

    async deleteStartedBefore(time) {
      await model.deleteMany({ started_at: { $lt: time } });
    },
  };
}

function digestOf({ _id, started_at }: BurstDocument, now: Date): { id: string; dueAt: Date } {
  const startMs = started_at.getTime();
  const afterMs = now.getTime() - startMs < FIRST_DIGEST_AFTER_MS ? FIRST_DIGEST_AFTER_MS : BURST_MS;
  const dueAt = new Date(startMs + afterMs);
  return { id: `${_id}:${dueAt.getTime()}`, dueAt };
}
