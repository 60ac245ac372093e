#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { type StartOptions, start } from './index.ts';

const USAGE = `Usage: embedded-mongodb --data <file> [--port 27017] [--host 127.0.0.1] [--no-fsync]

Serves MongoDB's wire protocol from one SQLite file, as a standalone mongod 7 does.
To require authentication, set both EMBEDDED_MONGODB_USER and EMBEDDED_MONGODB_PASSWORD.
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
  return {
    port,
    host: values.host,
    path: values.data,
    fsync: !values['no-fsync'],
    user: user || undefined,
    password: password || undefined,
  };
}

try {
  const options = readOptions();
  const server = await start(options);
  const stop = () => {
    void server.stop().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  // Must come last: a process that waits for this line may send a signal immediately.
  process.stdout.write(`embedded-mongodb listens on ${options.host}:${server.port}\n`);
} catch (error) {
  process.stderr.write(
    `embedded-mongodb: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`,
  );
  process.exit(1);
}
