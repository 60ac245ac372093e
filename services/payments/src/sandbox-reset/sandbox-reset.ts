import type { SandboxReset as Reply } from '@tollgate/contracts/payments/sandbox-reset';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Clock } from '@tollgate/runtime/clock';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import { createLeases, leaseTimes } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { AUDITED_FIELDS, nullableDate, RECORD_OPTIONS, textOf } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

/** Name of the collection, one of the service's audited ones. */
export const SANDBOX_RESETS = 'sandbox_resets';

const NOT_COUNTED: Record<string, null> = { is_counted: null };
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
  {
    key: { is_counted: 1 },
    name: 'uncounted',
    partialFilterExpression: NOT_COUNTED,
    purpose: 'The roll-up: resets after which the sandbox was not counted again',
  },
  OUTBOX_INDEX,
];

/** Longer than one batch, or one call to webhooks, takes. Two workers with one reset repeat each other's deletions only. */
const LEASE_MS = 30 * SECOND_MS;

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  status: textOf<Reply['status']>(),
  /** Payments that were created before this time are deleted. */
  requested_at: { type: Date, required: true },
  completed_at: nullableDate(),
  /** When a worker looks at it next; during the work, the end of its lease. Absent when nothing is left to do. */
  due_at: { type: Date, allowNull: false },
  /** Set once the roll-ups do not have what was deleted. Absent until then. */
  is_counted: { type: Boolean, allowNull: false },
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** The deletion of all sandbox data that a team created until then. */
export type SandboxReset = InferRawDocType<typeof definition>;

const schema = new Schema(definition, { ...RECORD_OPTIONS, collection: SANDBOX_RESETS });

export function createResetStore(connection: Connection) {
  const model = connection.model<SandboxReset>('SandboxReset', schema);
  const { acquire, release } = createLeases<SandboxReset>(connection.collection(SANDBOX_RESETS), {
    until: 'due_at',
  });

  const findNewest = async (team_id: string) =>
    model.findOne({ team_id }).sort({ _id: -1 }).lean<SandboxReset>();

  return {
    model,
    findNewest,

    find: async (team_id: string, _id: string) => model.findOne({ _id, team_id }).lean<SandboxReset>(),

    findInProgress: async (team_id: string) =>
      model.findOne({ team_id, ...IN_PROGRESS }).lean<SandboxReset>(),

    /** Used by services: when each of these teams requested its newest reset. */
    async findLast(teamIds: readonly string[]): Promise<{ team_id: string; requested_at: string }[]> {
      const newest = await Promise.all(teamIds.map(findNewest));
      return newest
        .filter((reset) => reset !== null)
        .map(({ team_id, requested_at }) => ({ team_id, requested_at: requested_at.toISOString() }));
    },

    /** Used by background work over all teams: those that deleted everything, which the roll-ups do not know. */
    listUncounted: async () =>
      model.find({ ...NOT_COUNTED, due_at: { $exists: false } }).lean<SandboxReset[]>(),

    async setCounted({ _id, team_id }: SandboxReset): Promise<void> {
      await model.updateOne({ _id, team_id }, { $set: { is_counted: true } });
    },

    /** Used by background work over all teams: one that is due, which no other worker gets before the lease ends. */
    claimDue: (clock: Clock) => acquire({}, leaseTimes(clock, LEASE_MS), { sort: { due_at: 1 } }),

    postpone: release,

    /** @param repeatAt when the work is repeated; null for never */
    complete: (reset: SandboxReset, now: Date, repeatAt: Date | null) =>
      release(reset, repeatAt, {
        $set: { status: 'completed', completed_at: reset.completed_at ?? now },
      }),
  };
}

export function resetView({ _id, status, requested_at, completed_at }: SandboxReset): Reply {
  return {
    id: _id,
    status,
    requested_at: requested_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}
