import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { createLeases } from '@tollgate/store/lease';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import type { OutboxModel, Outgoing, OutgoingDocument, OutgoingOutcome } from './outgoing.ts';

/** How a message went, for the people who caused it. */
export interface OutgoingProgress {
  status: 'waiting' | 'sent' | 'failed';
  at: Date;
  /** Why the last attempt failed. */
  reason: string | null;
}

export type NewOutgoing<Topic> = Pick<Outgoing<Topic>, '_id' | 'team_id' | 'topic' | 'created_at'>;

/** More than a team reads. A channel that is down for a day stores no more than this for each team. */
const MAX_WAITING_OF_TEAM = 1_000;
export const IS_DUE = { status: 'due' } as const;
/** Enough for a sentence. Receivers can respond with whole pages. */
const MAX_REASON_LENGTH = 200;

export const OUTBOX_INDEXES: readonly IndexDeclaration[] = [
  { key: { due_at: 1 }, partialFilterExpression: IS_DUE, purpose: 'Finds messages that are due' },
  {
    key: { team_id: 1, due_at: 1 },
    partialFilterExpression: IS_DUE,
    purpose: 'Counts the messages of a team that wait',
  },
  { key: { created_at: 1 }, purpose: 'Finds old messages to delete' },
];

/** An attempt is a lease. Its number fences off an instance whose lease has expired. */
export const leasesOf = <Topic>(model: OutboxModel) =>
  createLeases<Outgoing<Topic>>(model.db.collection<Outgoing<Topic>>(model.collection.name), {
    until: 'due_at',
    token: 'attempts',
    where: IS_DUE as Partial<Outgoing<Topic>>,
  });

export const ATTEMPT = { $inc: { attempts: 1 } } as const;

export type OutboxStore<Topic> = ReturnType<typeof createOutboxStore<Topic>>;

/** The outbox of one channel. Each channel has a collection, so that one that is down delays no other. */
export function createOutboxStore<Topic>(model: OutboxModel) {
  const leases = leasesOf<Topic>(model);

  return {
    /** Without effect for an id that exists: a message of the bus can arrive twice. */
    async insert(message: NewOutgoing<Topic>): Promise<void> {
      const waiting = { ...IS_DUE, attempts: 0, due_at: message.created_at, reason: null };
      await wroteUnlessDuplicate(model.create([{ ...message, ...waiting }]));
    },

    /** Whether fewer than `MAX_WAITING_OF_TEAM` messages of the team wait. Concurrent callers can exceed it by one notice each. */
    async hasRoomFor(team_id: string): Promise<boolean> {
      const limit = MAX_WAITING_OF_TEAM;
      return (await model.countDocuments({ team_id, ...IS_DUE }, { limit })) < limit;
    },

    /** Takes a message that is due, until `leasedUntil`: the one that is due the longest. Null when none is due. */
    claim: (now: Date, leasedUntil: Date): Promise<Outgoing<Topic> | null> =>
      leases.acquire({}, { now, until: leasedUntil }, { sort: { due_at: 1 }, update: ATTEMPT }),

    /** Ends the attempt. Without effect when another instance has taken the message over. */
    async settle(message: Outgoing<Topic>, status: OutgoingOutcome, reason: string | null): Promise<void> {
      await leases.release(message, message.due_at, { $set: { status, reason: shortened(reason) } });
    },

    /** Ends the attempt, and schedules the next one. */
    async postpone(message: Outgoing<Topic>, dueAt: Date, reason: string): Promise<void> {
      await leases.release(message, dueAt, { $set: { reason: shortened(reason) } });
    },

    /** When the oldest message that waits to be sent was created; null when none waits. */
    async oldestUnsentAt(): Promise<Date | null> {
      // Names `due_at`, so that the query reads the index of the few messages that are due.
      const oldest = await model
        .findOne({ ...IS_DUE, due_at: { $gt: new Date(0) } }, { created_at: 1 })
        .sort({ created_at: 1 })
        .lean();
      return oldest?.created_at ?? null;
    },

    /** Deletes messages that were created earlier and are no longer due. */
    async deleteSettledBefore(time: Date): Promise<void> {
      await model.deleteMany({ created_at: { $lt: time }, status: { $ne: 'due' } });
    },
  };
}

function shortened(reason: string | null): string | null {
  return reason && reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}

/** The message must not be a dropped one. */
export function toProgress({ status, created_at, reason }: OutgoingDocument): OutgoingProgress {
  return { status: status === 'sent' || status === 'failed' ? status : 'waiting', at: created_at, reason };
}
