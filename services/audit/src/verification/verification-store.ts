import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

interface VerificationDocument extends Omit<AuditVerification, 'id'> {
  _id: string;
  team_id: string;
  /** The instance that runs the verification. */
  instance_id: string;
  /** The instance is considered alive until then. */
  leased_until: Date;
  /** Whether members were notified of the result. Absent until then. */
  is_reported?: boolean;
}

export interface Lease {
  instanceId: string;
  until: Date;
}

export interface VerificationStore {
  /** False when one is running for this team. */
  insert(teamId: string, verification: AuditVerification, lease: Lease): Promise<boolean>;
  find(teamId: string, id: string): Promise<AuditVerification | null>;
  findRunning(teamId: string): Promise<AuditVerification | null>;
  findLatest(teamId: string): Promise<AuditVerification | null>;
  /** The newest one that compared tree heads. */
  findLatestWithHead(teamId: string): Promise<AuditVerification | null>;
  /** Stores the progress. False when the verification no longer belongs to this instance. */
  update(teamId: string, verification: AuditVerification, lease: Lease): Promise<boolean>;
  /** Those that found a log tampered with since the time, and that nobody was notified of. The oldest first. */
  listUnreportedOfAllTeams(since: Date): Promise<{ teamId: string; verification: AuditVerification }[]>;
  /** The last one before this one that checked the whole log. */
  findPreviousResult(teamId: string, id: string): Promise<AuditVerification | null>;
  markReported(teamId: string, id: string): Promise<void>;
  /** Takes over a verification whose instance died; null when there is none. */
  takeOverOfAllTeams(
    now: Date,
    lease: Lease,
  ): Promise<{ teamId: string; verification: AuditVerification } | null>;
}

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

export function createVerificationStore(connection: Connection): VerificationStore {
  const collection = connection
    .getClient()
    .db(connection.name)
    .collection<VerificationDocument>('verifications');

  return {
    async insert(teamId, verification, lease) {
      return wroteUnlessDuplicate(collection.insertOne(toDocument(teamId, verification, lease)));
    },
    async find(teamId, id) {
      return toVerification(await collection.findOne({ _id: id, team_id: teamId }));
    },
    async findRunning(teamId) {
      return toVerification(await collection.findOne({ team_id: teamId, status: 'running' }));
    },
    async findLatest(teamId) {
      return toVerification(await collection.findOne({ team_id: teamId }, { sort: { _id: -1 } }));
    },
    async findLatestWithHead(teamId) {
      return toVerification(
        await collection.findOne({ team_id: teamId, last_head: { $ne: null } }, { sort: { _id: -1 } }),
      );
    },
    async update(teamId, verification, lease) {
      const { _id, ...members } = toDocument(teamId, verification, lease);
      const { matchedCount } = await collection.updateOne(
        { _id, team_id: teamId, status: 'running', instance_id: lease.instanceId },
        { $set: members },
      );
      return matchedCount === 1;
    },
    async listUnreportedOfAllTeams(since) {
      const documents = await collection
        .find(
          { status: 'tampered', is_reported: { $ne: true }, ended_at: { $gte: since.toISOString() } },
          { sort: { _id: 1 } },
        )
        .toArray();
      return documents.flatMap((document) => {
        const verification = toVerification(document);
        return verification ? { teamId: document.team_id, verification } : [];
      });
    },
    async findPreviousResult(teamId, id) {
      return toVerification(
        await collection.findOne(
          { team_id: teamId, _id: { $lt: id }, status: { $in: ['intact', 'tampered'] } },
          { sort: { _id: -1 } },
        ),
      );
    },
    async markReported(teamId, id) {
      await collection.updateOne({ _id: id, team_id: teamId }, { $set: { is_reported: true } });
    },
    async takeOverOfAllTeams(now, lease) {
      const taken = await collection.findOneAndUpdate(
        { status: 'running', leased_until: { $lte: now } },
        { $set: { instance_id: lease.instanceId, leased_until: lease.until } },
        { returnDocument: 'after' },
      );
      const verification = toVerification(taken);
      return taken && verification && { teamId: taken.team_id, verification };
    },
  };
}

function toDocument(
  teamId: string,
  { id, ...members }: AuditVerification,
  { instanceId, until }: Lease,
): VerificationDocument {
  return { _id: id, team_id: teamId, ...members, instance_id: instanceId, leased_until: until };
}

function toVerification(document: VerificationDocument | null): AuditVerification | null {
  if (document === null) return null;
  const {
    _id,
    team_id: _team,
    instance_id: _instance,
    leased_until: _leased,
    is_reported: _reported,
    ...members
  } = document;
  return { id: _id, ...members };
}
