import { type Authenticator, createAuthenticator } from './auth/authenticator.ts';
import type { ServerContext } from './commands/command.ts';
import { createCursorRegistry } from './cursors.ts';
import { cursorsOfAllThreads } from './reading/cursors-of-all-threads.ts';
import { createReaderPool } from './reading/reader-pool.ts';
import { createRequestHandler } from './serve-request.ts';
import { startLogEmptying } from './storage/log-emptying.ts';
import { createReadBudget } from './storage/read-budget.ts';
import { openStore } from './storage/store.ts';
import { startExpiry } from './ttl.ts';
import { noConnections } from './wire/connection-state.ts';
import { listen } from './wire/server.ts';

export { openDataSnapshot } from './backup/data-snapshot.ts';
export { examineCopy } from './backup/examine-copy.ts';
export { lockDataFile } from './storage/file-lock.ts';

export interface StartOptions {
  /** Default 0: selects a free port. */
  port?: number | undefined;
  /** Default 127.0.0.1: reachable from this machine only. */
  host?: string | undefined;
  /** The data file. Created with its folder, both private, if it does not exist. The `-wal`, `-shm`, and `.lock` files are beside it. */
  path: string;
  /** With a user and a password, clients must authenticate (SCRAM-SHA-256, authSource admin). */
  user?: string | undefined;
  password?: string | undefined;
  /** More users, each with the role `readWrite` on one database. They require `user` and `password`. */
  databaseUsers?: readonly DatabaseUser[] | undefined;
  /** Default true: the server flushes a write to disk before it acknowledges it. False is for tests. */
  fsync?: boolean | undefined;
}

export interface DatabaseUser {
  user: string;
  password: string;
  database: string;
}

export interface EmbeddedMongodb {
  /** The connection string, with user and password if they are set. */
  url: string;
  port: number;
  /** Commits open writes, closes all connections, and releases the file. */
  stop(): Promise<void>;
}

/**
 * Starts a server that official drivers use like a standalone mongod 7.
 * Rejects if the port is taken, or if the file is in use, corrupted, or another program's.
 */
export async function start(options: StartOptions): Promise<EmbeddedMongodb> {
  const { port: wantedPort = 0, host = '127.0.0.1', path, user, password, fsync = true } = options;
  const authenticator = authenticatorOf(options);
  const budget = createReadBudget();
  const ownCursors = createCursorRegistry({ budget });
  const store = openStore({ path, fsync, budget }, ownCursors.killAll);
  const readers = createReaderPool(path);
  const cursors = cursorsOfAllThreads(ownCursors, readers);
  const connections = noConnections();
  const context: ServerContext = { store, cursors, authenticator, startedAt: Date.now(), connections };
  const handle = createRequestHandler(context, readers);
  try {
    const requiresAuthentication = authenticator !== undefined;
    const server = await listen({ host, port: wantedPort, requiresAuthentication, connections, handle });
    const expiry = startExpiry(store);
    const emptying = startLogEmptying(store);
    return {
      url: urlOf(host, server.port, user, password),
      port: server.port,
      async stop() {
        expiry.stop();
        emptying.stop();
        store.flush();
        await server.close();
        cursors.close();
        await readers.close();
        store.close();
      },
    };
  } catch (error) {
    cursors.close();
    store.close();
    throw error;
  }
}

function authenticatorOf({ user, password, databaseUsers = [] }: StartOptions): Authenticator | undefined {
  if ((user === undefined) !== (password === undefined)) {
    throw new Error('Give both user and password to require authentication, or neither.');
  }
  if (user === undefined || password === undefined) {
    if (databaseUsers.length === 0) return undefined;
    throw new Error('Users of single databases require a user and a password that may do everything.');
  }
  const limited = databaseUsers.map((of) => ({
    name: of.user,
    password: of.password,
    onlyDatabase: of.database,
  }));
  return createAuthenticator([{ name: user, password }, ...limited]);
}

function urlOf(host: string, port: number, user: string | undefined, password: string | undefined): string {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  if (user === undefined || password === undefined) return `mongodb://${address}`;
  return `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${address}/?authSource=admin`;
}
