import { type Document, MongoClient } from 'mongodb';

/** The documents of a database as the server stores them, including fields that no schema names. */
export interface StoredDocuments {
  /** All documents of a collection. */
  list(collection: string): Promise<Document[]>;
  /** Adds fields to every document of a collection, as a release that knows more of them would. */
  addFields(collection: string, fields: Document): Promise<void>;
}

/** Connects to a database until `use` has returned. */
export async function withStoredDocuments<Result>(
  url: string,
  database: string,
  use: (documents: StoredDocuments) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(url);
  const collection = (name: string) => client.db(database).collection(name);
  try {
    return await use({
      list: (name) => collection(name).find().toArray(),
      async addFields(name, fields) {
        await collection(name).updateMany({}, { $set: fields });
      },
    });
  } finally {
    await client.close();
  }
}
