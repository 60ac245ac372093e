import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import type { OutgoingDocument } from '../src/outbox/outbox-store.ts';
import type { Harness } from './harness.ts';

/** The messages of a channel, as the database has them. */
export async function storedMessages(
  { infra }: Harness,
  collection: 'mails' | 'chat_messages',
): Promise<OutgoingDocument[]> {
  return withStoredDocuments(
    infra.mongodbUrl,
    'tollgate_accounts',
    (documents) => documents.list(collection) as Promise<never>,
  );
}
