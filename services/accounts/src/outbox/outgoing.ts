import { nullableText, RECORD_OPTIONS, shape, textOf } from '@tollgate/store/schema/fields';
import { type Connection, type InferRawDocType, Schema } from 'mongoose';

/** `dropped`: what the message is about is no longer true, or the recipient has left. */
export type OutgoingOutcome = 'sent' | 'failed' | 'dropped';

const definition = {
  _id: { type: String, required: true },
  /** Null while nothing proves that the recipient has an account. */
  team_id: nullableText(),
  /** What it is about. Its text and its secrets are looked up when it is sent. */
  topic: shape<unknown>(),
  status: textOf<'due' | OutgoingOutcome>(),
  /** Attempts to send it, with the current one. */
  attempts: { type: Number, required: true },
  /** When the next attempt starts; during an attempt, when another instance may take it over. */
  due_at: { type: Date, required: true },
  created_at: { type: Date, required: true },
  /** Why it was not sent. */
  reason: nullableText(),
  /** Set when it is first claimed in a channel that sends the messages of a team in turn. */
  in_turn: { type: Boolean, allowNull: false },
} as const;

/** A message that waits to be sent, or that was sent. */
export type OutgoingDocument = InferRawDocType<typeof definition>;
export type Outgoing<Topic> = Omit<OutgoingDocument, 'topic'> & { topic: Topic };

export type OutboxModel = ReturnType<typeof createOutboxModel>;

export function createOutboxModel(connection: Connection, name: string, collection: string) {
  const schema = new Schema(definition, { ...RECORD_OPTIONS, collection });
  return connection.model<OutgoingDocument>(name, schema);
}
