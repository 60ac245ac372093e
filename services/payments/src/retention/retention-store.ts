import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { DataRetention } from '@tollgate/contracts/payments/data-retention';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** The setting of a team that changed it at least once, as stored. */
interface RetentionDocument {
  /** The id of the team. */
  _id: string;
  team_id: string;
  /** Null to keep the data permanently. */
  days: number | null;
  version: number;
  updated_at: Date;
  /** Audit entries of changes, written with the changes and cleared once the audit log has them. */
  outbox: SignedAuditEntry[];
}

/** Name of the collection, one of the service's audited ones. */
export const RETENTION_SETTINGS = 'retention_settings';
export const RETENTION_SETTING_INDEXES: readonly IndexDeclaration[] = [OUTBOX_INDEX];

/** The setting of a team that never changed it. It is not stored. */
const DEFAULT_RETENTION: DataRetention = { days: null, version: 1 };

export type RetentionStore = ReturnType<typeof createRetentionStore>;

export function createRetentionStore(connection: Connection) {
  const collection = connection.collection<RetentionDocument>(RETENTION_SETTINGS);

  async function insert(document: RetentionDocument): Promise<boolean> {
    return wroteUnlessDuplicate(collection.insertOne(document));
  }

  return {
    async find(teamId: string): Promise<DataRetention> {
      const document = await collection.findOne({ _id: teamId, team_id: teamId });
      return document ? { days: document.days, version: document.version } : DEFAULT_RETENTION;
    },

    /** Used by background work: the teams that have a period. Only teams that changed the setting have a document. */
    async teamsWithPeriod(): Promise<string[]> {
      return collection.distinct('team_id', { days: { $gt: 0 } });
    },

    /** Stores a change with its audit entry. False when the setting changed since `before` was read. */
    async replace(
      teamId: string,
      before: DataRetention,
      { days, version }: DataRetention,
      { at, audit }: { at: Date; audit: SignedAuditEntry },
    ): Promise<boolean> {
      if (before.version === DEFAULT_RETENTION.version) {
        return insert({ _id: teamId, team_id: teamId, days, version, updated_at: at, outbox: [audit] });
      }
      const { matchedCount } = await collection.updateOne(
        { _id: teamId, team_id: teamId, version: before.version },
        { $set: { days, version, updated_at: at }, $push: { outbox: audit } },
      );
      return matchedCount === 1;
    },
  };
}
