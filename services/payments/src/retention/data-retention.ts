import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { AuditedRecords } from '@tollgate/store/audited-records';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { AUDITED_FIELDS, nullableNumber, RECORD_OPTIONS } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

/** Name of the collection, one of the service's audited ones. */
export const RETENTION_SETTINGS = 'retention_settings';
export const RETENTION_SETTING_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

const { created_at: _, ...AUDITED } = AUDITED_FIELDS;

const definition = {
  /** The id of the team: a team has one setting. */
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  /** Null to keep the data permanently. */
  days: nullableNumber(),
  ...AUDITED,
} as const;

/** How long a team keeps the personal data of payments that have ended. */
export type DataRetention = InferRawDocType<typeof definition>;

const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: RETENTION_SETTINGS });

export type RetentionStore = ReturnType<typeof createRetentionStore>;

export function createRetentionStore(connection: Connection) {
  const model = connection.model<DataRetention>('DataRetention', schema);
  const records: AuditedRecords<DataRetention> = { model, noun: 'retention period', initial };
  return {
    ...records,
    find: async (team_id: string): Promise<DataRetention> =>
      (await model.findOne({ _id: team_id, team_id }).lean<DataRetention>()) ?? initial(team_id),
    /** Used by background work: the teams that have a period. Only teams that changed the setting have a document. */
    teamsWithPeriod: async (): Promise<string[]> => model.distinct('team_id', { days: { $gt: 0 } }),
  };
}

/** Version 1 is the default, which is not stored. */
function initial(team_id: string): DataRetention {
  return { _id: team_id, team_id, days: null, version: 1, updated_at: new Date(0), outbox: [] };
}

/** Null keeps the data permanently. */
export function isShorter(days: number | null, before: number | null): boolean {
  return days !== null && (before === null || days < before);
}
