#!/usr/bin/env node
import { flushCompileCache } from 'node:module';
import { parseArgs } from 'node:util';
import { type DatabaseUser, type StartOptions, start } from './index.ts';

const USAGE = `Usage: embedded-mongodb --data <file> [--port 27017] [--host 127.0.0.1] [--no-fsync]

Serves MongoDB's wire protocol from one SQLite file, as a standalone mongod 7 does.
To require authentication, set both EMBEDDED_MONGODB_USER and EMBEDDED_MONGODB_PASSWORD.
EMBEDDED_MONGODB_DATABASE_USERS adds users of one database each: [{ "user": …, "password": …, "database": … }].
--no-fsync acknowledges writes before they are flushed to disk: for tests, where a power cut does not count.
`;
const DEFAULT_PORT = 27017;

function readOptions(): StartOptions {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: String(DEFAULT_PORT) },
      host: { type: 'string', default: '127.0.0.1' },
      data: { type: 'string' },
      'no-fsync': { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`--port ${values.port} is not a port number`);
  if (values.data === undefined) throw new Error('--data is missing: give the file to keep the data in');
  const { EMBEDDED_MONGODB_USER: user, EMBEDDED_MONGODB_PASSWORD: password } = process.env;
  const databaseUsers = readDatabaseUsers(process.env['EMBEDDED_MONGODB_DATABASE_USERS'] || '[]');
  return {
    port,
    host: values.host,
    path: values.data,
    fsync: !values['no-fsync'],
    user: user || undefined,
    password: password || undefined,
    databaseUsers,
  };
}

/** @throws without the text, which contains passwords */
function readDatabaseUsers(text: string): DatabaseUser[] {
  const invalid = new Error(
    'EMBEDDED_MONGODB_DATABASE_USERS is not valid: it must be a JSON array of { "user", "password", "database" }, each a text',
  );
  let users: unknown;
  try {
    users = JSON.parse(text);
  } catch {
    throw invalid;
  }
  if (!Array.isArray(users) || !users.every(isDatabaseUser)) throw invalid;
  return users;
}

function isDatabaseUser(value: unknown): value is DatabaseUser {
  if (typeof value !== 'object' || value === null) return false;
  const { user, password, database } = value as Record<string, unknown>;
  return [user, password, database].every((text) => typeof text === 'string' && text !== '');
}

try {
  const options = readOptions();
  const server = await start(options);
  const stop = () => {
    void server.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // With NODE_COMPILE_CACHE, the next start is faster even if this process is killed.
  flushCompileCache();
  // Must come last: a process that waits for this line may send a signal immediately.
  process.stdout.write(`embedded-mongodb listens on ${options.host}:${server.port}\n`);
} catch (error) {
  process.stderr.write(
    `embedded-mongodb: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`,
  );
  process.exit(1);
}
