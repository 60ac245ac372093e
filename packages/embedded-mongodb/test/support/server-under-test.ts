import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Document, MongoClient } from 'mongodb';
import { afterAll } from 'vitest';
import { type EmbeddedMongodb, type StartOptions, start } from '../../src/index.ts';

/** Creates a folder that is removed after the tests of this file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-mongodb-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface ServerUnderTest {
  server: EmbeddedMongodb;
  client: MongoClient;
  /** Runs a command on the database `test`. */
  command(command: Document): Promise<Document>;
}

/** Starts a server with its own file and port, and a connected client. Both end after the tests of this file. */
export async function startForTest(options: Partial<StartOptions> = {}): Promise<ServerUnderTest> {
  const server = await start({ path: join(temporaryFolder(), 'data.db'), fsync: false, ...options });
  const client = await new MongoClient(server.url, { serverSelectionTimeoutMS: 3000 }).connect();
  afterAll(async () => {
    await client.close();
    await server.stop();
  });
  return { server, client, command: (command) => client.db('test').command(command) };
}

/** The error that the promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Document> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome === undefined) throw new Error('expected a rejection');
  return outcome as Document;
}
