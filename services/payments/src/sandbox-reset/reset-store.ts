import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import type { SandboxReset } from '@tollgate/contracts/payments/sandbox-reset';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { Connection } from 'mongoose';

export interface ResetDocument {
  _id: string;
  team_id: string;
  status: SandboxReset['status'];
  /** Payments that were created before this time are deleted. */
  requested_at: Date;
  completed_at: Date | null;
  /** When a worker looks at it next; during the work, the end of its lease. Absent when nothing is left to do. */
  due_at?: Date;
  /** Audit entries that the audit log has not confirmed. */
  outbox: SignedAuditEntry[];
}

/** Name of the collection, one of the service's audited ones. */
export const SANDBOX_RESETS = 'sandbox_resets';

const IN_PROGRESS = { status: 'in_progress' } as const;

export const SANDBOX_RESET_INDEXES: readonly IndexDeclaration[] = [
  { key: { team_id: 1, _id: -1 }, purpose: 'Resets of a team, newest first' },
  {
    key: { team_id: 1 },
    name: 'in_progress',
    unique: true,
    partialFilterExpression: IN_PROGRESS,
    purpose: 'One reset of a team at a time',
  },
  {
    key: { due_at: 1 },
    partialFilterExpression: { due_at: { $exists: true } },
    purpose: 'Workers: resets with work left',
  },
  OUTBOX_INDEX,
];

export type ResetStore = ReturnType<typeof createResetStore>;

export function createResetStore(connection: Connection) {
  const collection = connection.collection<ResetDocument>(SANDBOX_RESETS);

  return {
    /** False when the team has a reset in progress, or this one is stored already. */
    async insert(reset: ResetDocument): Promise<boolean> {
      return wroteUnlessDuplicate(collection.insertOne(reset));
    },

    async find(teamId: string, resetId: string): Promise<ResetDocument | null> {
      return collection.findOne({ _id: resetId, team_id: teamId });
    },

    async findInProgress(teamId: string): Promise<ResetDocument | null> {
      return collection.findOne({ team_id: teamId, ...IN_PROGRESS });
    },

    async findNewest(teamId: string): Promise<ResetDocument | null> {
      return collection.findOne({ team_id: teamId }, { sort: { _id: -1 } });
    },

    /** Used by services: when each of these teams requested its newest reset. */
    async findLast(teamIds: readonly string[]): Promise<{ team_id: string; requested_at: string }[]> {
      const newest = await Promise.all(
        teamIds.map((teamId) => collection.findOne({ team_id: teamId }, { sort: { _id: -1 } })),
      );
      return newest
        .filter((reset) => reset !== null)
        .map(({ team_id, requested_at }) => ({ team_id, requested_at: requested_at.toISOString() }));
    },

    /** Used by background work over all teams: one that is due, which no other worker gets before the lease ends. */
    async claimDue(now: Date, leasedUntil: Date): Promise<ResetDocument | null> {
      return collection.findOneAndUpdate(
        { due_at: { $lte: now } },
        { $set: { due_at: leasedUntil } },
        { sort: { due_at: 1 }, returnDocument: 'after' },
      );
    },

    async postpone({ _id, team_id }: ResetDocument, dueAt: Date): Promise<void> {
      await collection.updateOne({ _id, team_id }, { $set: { due_at: dueAt } });
    },

    /** @param repeatAt when the work is repeated; null for never */
    async complete(
      { _id, team_id, completed_at }: ResetDocument,
      now: Date,
      repeatAt: Date | null,
    ): Promise<void> {
      const completed = { status: 'completed', completed_at: completed_at ?? now } as const;
      await collection.updateOne(
        { _id, team_id },
        repeatAt ? { $set: { ...completed, due_at: repeatAt } } : { $set: completed, $unset: { due_at: 1 } },
      );
    },
  };
}
