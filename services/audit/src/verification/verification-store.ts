import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { createLeases } from '@tollgate/store/lease';
import { rowsBeside } from '@tollgate/store/page-budget';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

/** A verification as stored. */
export interface StoredVerification extends Omit<AuditVerification, 'id'> {
  _id: string;
  team_id: string;
  /** The instance that runs the verification. */
  instance_id: string;
  /** The instance is considered alive until then. */
  leased_until: Date;
  /** Whether members were notified of the result. Absent until then. */
  is_reported?: boolean;
}

type Found = Promise<StoredVerification | null>;

export const VERIFICATION_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: "A team's latest verifications" },
  {
    key: { team_id: 1 },
    name: 'running',
    unique: true,
    partialFilterExpression: { status: 'running' },
    purpose: 'At most one verification of a team runs',
  },
  { key: { status: 1, leased_until: 1 }, purpose: 'Takes over verifications of instances that died' },
];

export type VerificationStore = ReturnType<typeof createVerificationStore>;

export function createVerificationStore(connection: Connection) {
  const collection = connection
    .getClient()
    .db(connection.name)
    .collection<StoredVerification>('verifications');

  return {
    /** The instances that run verifications. */
    leases: createLeases<StoredVerification>(collection, {
      until: 'leased_until',
      token: 'instance_id',
      where: { status: 'running' },
    }),

    /** False when one is running for this team. */
    insert: (verification: StoredVerification): Promise<boolean> =>
      wroteUnlessDuplicate(collection.insertOne(verification)),

    find: (team_id: string, _id: string): Found => collection.findOne({ _id, team_id }),
    findRunning: (team_id: string): Found => collection.findOne({ team_id, status: 'running' }),
    findLatest: (team_id: string): Found => collection.findOne({ team_id }, { sort: { _id: -1 } }),

    /** The newest one that compared tree heads. */
    findLatestWithHead: (team_id: string): Found =>
      collection.findOne({ team_id, last_head: { $ne: null } }, { sort: { _id: -1 } }),

    /** Those that found a log tampered with since the time, and that nobody was notified of. The oldest first. */
    listUnreportedOfAllTeams: (since: Date): Promise<StoredVerification[]> =>
      collection
        .find({ status: 'tampered', is_reported: { $ne: true }, ended_at: { $gte: since.toISOString() } })
        .sort({ _id: 1 })
        .toArray(),

    /** The last one before this one that checked the whole log. */
    findPreviousResult: ({ team_id, _id }: StoredVerification): Found =>
      collection.findOne(
        { team_id, _id: { $lt: _id }, status: { $in: ['intact', 'tampered'] } },
        { sort: { _id: -1 } },
      ),

    async markReported({ team_id, _id }: StoredVerification): Promise<void> {
      await collection.updateOne({ _id, team_id }, { $set: { is_reported: true } });
    },
  };
}

/** The reply has the findings that fit: they repeat ids from the database, which an intruder may have made as long as they like. */
export function verificationToWire({ _id, findings, ...rest }: StoredVerification): AuditVerification {
  return { id: _id, ...rest, findings: rowsBeside(rest, findings) };
}
