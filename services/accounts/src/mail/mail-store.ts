import type { AuditEntry } from '@tollgate/contracts/audit';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { type Connection, Schema } from 'mongoose';
import type { Mail, MailOutcome, MailTopic } from './mail.ts';

/** A mail as stored in the collection `mails`. */
interface MailDocument {
  _id: string;
  /** Null while nothing proves that the recipient has an account. */
  team_id: string | null;
  topic: TopicDocument;
  status: 'due' | MailOutcome;
  attempts: number;
  /** When the next attempt starts; during an attempt, when another instance may take it over. */
  due_at: Date;
  created_at: Date;
  /** Why it was not sent. */
  reason: string | null;
}

type TopicDocument =
  | { type: 'audit-entry'; entry: AuditEntry; member_id: string | null }
  | {
      type: 'password-reset';
      email: string;
      origin: { address: string | null; user_agent: string | null; request_id: string | null };
    };

export interface MailStore {
  /** Without effect for an id that exists: a message of the bus can arrive twice. */
  insert(mail: Omit<Mail, 'attempts'>): Promise<void>;
  /** Takes the mail that is due the longest, until `leasedUntil`. Null when none is due. */
  claim(now: Date, leasedUntil: Date): Promise<Mail | null>;
  /** Ends the attempt. Without effect when another instance has taken the mail over. */
  settle(mail: Mail, outcome: MailOutcome, reason: string | null): Promise<void>;
  /** Ends the attempt, and schedules the next one. */
  postpone(mail: Mail, dueAt: Date, reason: string): Promise<void>;
  /** When the oldest mail that waits to be sent was created; null when none waits. */
  oldestUnsentAt(): Promise<Date | null>;
  /** Deletes mails that were created earlier and are no longer due. */
  deleteSettledBefore(time: Date): Promise<void>;
}

const IS_DUE = { status: 'due' } as const;

const schema = new Schema<MailDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, default: null },
    topic: { type: Schema.Types.Mixed, required: true },
    status: { type: String, required: true },
    attempts: { type: Number, required: true },
    due_at: { type: Date, required: true },
    created_at: { type: Date, required: true },
    reason: { type: String, default: null },
  },
  { collection: 'mails', versionKey: false, minimize: false, strict: 'throw', autoCreate: false },
);

export const MAIL_INDEXES: readonly IndexDeclaration[] = [
  { key: { due_at: 1 }, partialFilterExpression: IS_DUE, purpose: 'Finds mails that are due' },
  { key: { created_at: 1 }, purpose: 'Finds old mails to delete' },
];

export function createMailStore(connection: Connection): MailStore {
  const model = connection.model<MailDocument>('Mail', schema);

  /** The number of the attempt fences off an instance whose lease has expired. */
  async function endAttempt({ id, attempts }: Mail, change: Partial<MailDocument>): Promise<void> {
    await model.updateOne({ _id: id, attempts, ...IS_DUE }, { $set: change });
  }

  return {
    async insert({ id, topic, createdAt }) {
      const team_id = topic.type === 'audit-entry' ? topic.entry.team_id : null;
      const times = { due_at: createdAt, created_at: createdAt };
      const waiting = { ...IS_DUE, attempts: 0, reason: null };
      await wroteUnlessDuplicate(
        model.create([{ _id: id, team_id, topic: toTopicDocument(topic), ...times, ...waiting }]),
      );
    },

    async claim(now, leasedUntil) {
      const document = await model
        .findOneAndUpdate(
          { ...IS_DUE, due_at: { $lte: now } },
          { $set: { due_at: leasedUntil }, $inc: { attempts: 1 } },
          { sort: { due_at: 1 }, returnDocument: 'after' },
        )
        .lean();
      return document && toMail(document);
    },

    settle: (mail, outcome, reason) => endAttempt(mail, { status: outcome, reason }),
    postpone: (mail, dueAt, reason) => endAttempt(mail, { due_at: dueAt, reason }),

    async oldestUnsentAt() {
      // Names `due_at`, so that the query reads the index of the few mails that are due.
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

function toMail({ _id: id, topic, attempts, created_at: createdAt }: MailDocument): Mail {
  return { id, topic: toTopic(topic), attempts, createdAt };
}

function toTopicDocument(topic: MailTopic): TopicDocument {
  if (topic.type === 'audit-entry') {
    const { type, entry, memberId } = topic;
    return { type, entry, member_id: memberId };
  }
  const { type, email, origin } = topic;
  const { address, userAgent, requestId } = origin;
  return { type, email, origin: { address, user_agent: userAgent, request_id: requestId } };
}

function toTopic(topic: TopicDocument): MailTopic {
  if (topic.type === 'audit-entry') {
    const { type, entry, member_id } = topic;
    return { type, entry, memberId: member_id };
  }
  const { type, email, origin } = topic;
  const { address, user_agent, request_id } = origin;
  return { type, email, origin: { address, userAgent: user_agent, requestId: request_id } };
}
