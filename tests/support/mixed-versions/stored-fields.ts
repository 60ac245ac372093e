import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';

/** Documents that processes of both versions change. */
const COLLECTIONS: Record<string, string[]> = {
  tollgate_accounts: ['teams', 'members', 'sessions'],
  tollgate_applications: ['applications', 'api_keys'],
  tollgate_payments: ['payments'],
  tollgate_webhooks: ['endpoints'],
};

/** A field that neither version knows: both must treat the documents as those of an even later release. */
const OF_A_LATER_RELEASE = { added_by_a_later_release: { value: 1 } };

export interface StoredFields {
  /** Adds a field that no version knows to every document, and remembers the fields of every document. */
  remember(): Promise<void>;
  /** Lists remembered fields that a document has lost since. */
  lost(): Promise<string[]>;
}

/** Watches that a process keeps the fields of documents that another version has written. */
export function watchStoredFields(mongodbUrl: string): StoredFields {
  const known = new Map<string, string[]>();

  async function read(change: boolean): Promise<Map<string, string[]>> {
    const fields = new Map<string, string[]>();
    for (const [database, collections] of Object.entries(COLLECTIONS))
      await withStoredDocuments(mongodbUrl, database, async (documents) => {
        for (const collection of collections) {
          if (change) await documents.addFields(collection, OF_A_LATER_RELEASE);
          for (const document of await documents.list(collection))
            fields.set(`${database}.${collection} ${document['_id']}`, Object.keys(document));
        }
      });
    return fields;
  }

  return {
    async remember() {
      for (const [document, fields] of await read(true)) known.set(document, fields);
    },
    async lost() {
      return [...(await read(false))].flatMap(([document, fields]) =>
        (known.get(document) ?? [])
          .filter((field) => !fields.includes(field))
          .map((field) => `${document} has lost ${field}`),
      );
    },
  };
}
