import { type Document, MongoClient } from 'mongodb';

/** The documents of a database as the server stores them, including fields that no schema names. */
export interface StoredDocuments {
  /** All documents of a collection. */
  list(collection: string): Promise<Document[]>;
  /** Adds fields to every document of a collection, as a release that knows more of them would. */
  addFields(collection: string, fields: Document): Promise<void>;
  insert(collection: string, document: Document): Promise<void>;
  /** Applies a MongoDB update to a document. */
  update(collection: string, id: string, update: Document): Promise<void>;
  /** Applies a MongoDB update to a document, which may not exist yet. */
  upsert(collection: string, id: string, update: Document): Promise<void>;
  /** Copies the documents of a team, by collection. */
  copyOfTeam(collections: string[], teamId: string): Promise<Record<string, Document[]>>;
  /** Writes the documents of a copy over the current ones. */
  restore(copy: Record<string, Document[]>): Promise<void>;
}

/** All documents of all databases, as JSON. */
export async function allDocumentsAsText(url: string): Promise<string> {
  const client = new MongoClient(url);
  try {
    const { databases } = await client.db().admin().listDatabases();
    const texts = databases.map(async ({ name }) => {
      const collections = await client.db(name).collections();
      return JSON.stringify(await Promise.all(collections.map((collection) => collection.find().toArray())));
    });
    return (await Promise.all(texts)).join('\n');
  } finally {
    await client.close();
  }
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
      async insert(name, document) {
        await collection(name).insertOne(document);
      },
      async update(name, id, update) {
        await collection(name).updateOne({ _id: id as never }, update);
      },
      async upsert(name, id, update) {
        await collection(name).updateOne({ _id: id as never }, update, { upsert: true });
      },
      async copyOfTeam(names, teamId) {
        const copied = names.map(async (name) => [
          name,
          await collection(name).find({ team_id: teamId }).toArray(),
        ]);
        return Object.fromEntries(await Promise.all(copied));
      },
      async restore(copy) {
        for (const [name, documents] of Object.entries(copy)) {
          for (const document of documents)
            await collection(name).replaceOne({ _id: document['_id'] }, document);
        }
      },
    });
  } finally {
    await client.close();
  }
}
