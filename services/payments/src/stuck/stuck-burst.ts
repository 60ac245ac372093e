import type { Environment } from '@tollgate/contracts/platform/environment';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { AUDITED_FIELDS, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

/** Name of the collection, one of the service's audited ones. */
export const STUCK_BURSTS = 'stuck_bursts';
export const STUCK_BURST_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

const definition = {
  /** See `burstId`. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  environment: textOf<Environment>(),
  processor: { type: String, required: true },
  since: { type: Date, required: true },
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** Payments of a team that are stuck at a processor at the same time. */
export type StuckBurst = InferRawDocType<typeof definition>;

const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: STUCK_BURSTS });

export function createStuckBurstStore(connection: Connection) {
  const model = connection.model<StuckBurst>('StuckBurst', schema);
  return {
    model,

    /** Used by background work over all teams. */
    list: async () => model.find({}).lean<StuckBurst[]>(),

    /** Ends a burst, so that the next one is noticed again. One whose entry is not confirmed stays until it is. */
    async end({ _id, team_id }: StuckBurst): Promise<void> {
      await model.deleteOne({ _id, team_id, outbox: { $size: 0 } });
    },
  };
}

/** A burst is inserted once, whichever instance notices it first. */
export function burstId({
  team_id,
  environment,
  processor,
}: Omit<StuckBurst, '_id' | 'since' | 'outbox'>): string {
  return `${team_id}:${environment}:${processor}`;
}
