import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { start } from '../../src/index.ts';

/** The database of a suite, empty at the start of each case. */
export interface Ground {
  readonly database: Db;
  /** The collection that most cases use. */
  readonly things: Collection<Document>;
  command(command: Document): Promise<Document>;
  admin(command: Document): Promise<Document>;
  /** Resolves with the documents of `things` in insertion order. Every value keeps its BSON type. */
  stored(): Promise<Document[]>;
}

/** Makes the driver return every value with its BSON type. */
const WITH_TYPES = { promoteValues: false, promoteLongs: false };

/**
 * Connects to the server at `MONGODB_URL`, by default an embedded server. The cases only assert behavior that MongoDB
 * documents, so that they also pass on a mongod.
 */
export function prepareGround(family: string): Ground {
  let client: MongoClient;
  let stopServer = async () => {};

  beforeAll(async () => {
    let url = process.env.MONGODB_URL;
    if (url === undefined) {
      const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
      const server = await start({ path: join(folder, 'data.db'), fsync: false });
      url = server.url;
      stopServer = async () => {
        await server.stop();
        rmSync(folder, { recursive: true, force: true });
      };
    }
    client = await new MongoClient(url, {
      appName: 'conformance',
      serverSelectionTimeoutMS: 5000,
      ...WITH_TYPES,
      retryWrites: false,
    }).connect();
  });
  beforeEach(async () => {
    await client.db(`conformance_${family}`).dropDatabase();
  });
  afterAll(async () => {
    await client.db(`conformance_${family}`).dropDatabase();
    await client.close();
    await stopServer();
  });

  return {
    get database() {
      return client.db(`conformance_${family}`);
    },
    get things() {
      return this.database.collection<Document>('things');
    },
    command: (command) => client.db(`conformance_${family}`).command(command, WITH_TYPES),
    admin: (command) => client.db('admin').command(command, WITH_TYPES),
    stored: () =>
      client
        .db(`conformance_${family}`)
        .collection<Document>('things')
        .find({}, { sort: { $natural: 1 } })
        .toArray(),
  };
}
