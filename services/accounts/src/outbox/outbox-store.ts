import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Outgoing, OutgoingOutcome } from './outgoing.ts';

/** A message as stored in the collection of its channel. */
export interface OutgoingDocument {
  _id: string;
  /** Null while nothing proves that the recipient has an account. */
  team_id: string | null;
  topic: unknown;
  status: 'due' | OutgoingOutcome;
  attempts: number;
  /** When the next attempt starts; during an attempt, when another instance may take it over. */
  due_at: Date;
  created_at: Date;
  /** Why it was not sent. */
  reason: string | null;
  /** Set when it is first claimed in a channel that sends the messages of a team in turn. */
  in_turn?: true;
}

/** How a message went, for the people who caused it. */
export interface OutgoingProgress {
  status: 'waiting' | 'sent' | 'failed';
  at: Date;
  /** Why the last attempt failed. */
  reason: string | null;
}

export interface NewOutgoing<Topic> extends Omit<Outgoing<Topic>, 'attempts'> {
  /** Null when no team is known. */
  teamId: string | null;
}

export interface OutboxStore<Topic> {
  /** Without effect for an id that exists: a message of the bus can arrive twice. */
  insert(message: NewOutgoing<Topic>): Promise<void>;
  /** Whether fewer than `MAX_WAITING_OF_TEAM` messages of the team wait. Concurrent callers can exceed it by one notice each. */
  hasRoomFor(teamId: string): Promise<boolean>;
  /** Takes a message that is due, until `leasedUntil`: the one that is due the longest. Null when none is due. */
  claim(now: Date, leasedUntil: Date): Promise<Outgoing<Topic> | null>;
  /** Ends the attempt. Without effect when another instance has taken the message over. */
  settle(message: Outgoing<Topic>, outcome: OutgoingOutcome, reason: string | null): Promise<void>;
  /** Ends the attempt, and schedules the next one. */
  postpone(message: Outgoing<Topic>, dueAt: Date, reason: string): Promise<void>;
  /** When the oldest message that waits to be sent was created; null when none waits. */
  oldestUnsentAt(): Promise<Date | null>;
  /** Deletes messages that were created earlier and are no longer due. */
  deleteSettledBefore(time: Date): Promise<void>;
}

/** How a topic is stored. */
export interface StoredTopic<Topic> {
  toDocument(topic: Topic): unknown;
  fromDocument(stored: unknown): Topic;
}

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

export type OutboxModel = ReturnType<typeof createOutboxModel>;

export function createOutboxModel(
  connection: Connection,
  { name, collection }: { name: string; collection: string },
) {
  const schema = new Schema<OutgoingDocument>(
    {
      _id: { type: String, required: true },
      team_id: { type: String, default: null },
      topic: { type: Schema.Types.Mixed, required: true },
      status: { type: String, required: true },
      attempts: { type: Number, required: true },
      due_at: { type: Date, required: true },
      created_at: { type: Date, required: true },
      reason: { type: String, default: null },
      in_turn: { type: Boolean },
    },
    { collection, versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
  );
  return connection.model<OutgoingDocument>(name, schema);
}

/** The outbox of one channel. Each channel has a collection, so that one that is down delays no other. */
export function createOutboxStore<Topic>(model: OutboxModel, stored: StoredTopic<Topic>): OutboxStore<Topic> {
  /** The number of the attempt fences off an instance whose lease has expired. */
  async function endAttempt({ id, attempts }: Outgoing<Topic>, change: Partial<OutgoingDocument>) {
    await model.updateOne({ _id: id, attempts, ...IS_DUE }, { $set: change });
  }

  return {
    async insert({ id, teamId, topic, createdAt }) {
      const times = { due_at: createdAt, created_at: createdAt };
      const waiting = { ...IS_DUE, attempts: 0, reason: null };
      await wroteUnlessDuplicate(
        model.create([{ _id: id, team_id: teamId, topic: stored.toDocument(topic), ...times, ...waiting }]),
      );
    },

    async hasRoomFor(teamId) {
      const waiting = await model.countDocuments(
        { team_id: teamId, ...IS_DUE },
        { limit: MAX_WAITING_OF_TEAM },
      );
      return waiting < MAX_WAITING_OF_TEAM;
    },

    async claim(now, leasedUntil) {
      const document = await model
        .findOneAndUpdate(
          { ...IS_DUE, due_at: { $lte: now } },
          { $set: { due_at: leasedUntil }, $inc: { attempts: 1 } },
          { sort: { due_at: 1 }, returnDocument: 'after' },
        )
        .lean();
      return document && toOutgoing(document, stored);
    },

    settle: (message, outcome, reason) => endAttempt(message, { status: outcome, reason: shortened(reason) }),
    postpone: (message, dueAt, reason) => endAttempt(message, { due_at: dueAt, reason: shortened(reason) }),

    async oldestUnsentAt() {
      // Names `due_at`, so that the query reads the index of the few messages that are due.
      const oldest = await model
        .findOne({ ...IS_DUE, due_at: { $gt: new Date(0) } }, { created_at: 1 })
        .sort({ created_at: 1 })
        .lean();
      return oldest?.created_at ?? null;
    },

    async deleteSettledBefore(time) {
      await model.deleteMany({ created_at: { $lt: time }, status: { $ne: 'due' } });
    },
  };
}

export function toOutgoing<Topic>(document: OutgoingDocument, stored: StoredTopic<Topic>): Outgoing<Topic> {
  const { _id: id, topic, attempts, created_at: createdAt } = document;
  return { id, topic: stored.fromDocument(topic), attempts, createdAt };
}

function shortened(reason: string | null): string | null {
  return reason && reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason;
}

/** The message must not be a dropped one. */
export function toProgress({ status, created_at, reason }: OutgoingDocument): OutgoingProgress {
  return { status: status === 'sent' || status === 'failed' ? status : 'waiting', at: created_at, reason };
}
