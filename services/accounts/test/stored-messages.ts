import type { OutgoingDocument } from '../src/outbox/outgoing.ts';
import type { Harness } from './harness.ts';

/** The messages of a channel, as the database has them. */
export async function storedMessages(
  { database }: Harness,
  collection: 'mails' | 'chat_messages',
): Promise<OutgoingDocument[]> {
  return database.collection<OutgoingDocument>(collection).find().toArray();
}
