import { join } from 'node:path';
import { CHECKOUT_DIR } from './checkout.ts';
import type { DatabaseUser } from './mongodb-users.ts';

/**
 * Returns the command that runs the embedded MongoDB as a separate process. Passwords are passed in the environment:
 * arguments are visible to every user of the machine.
 */
export function embeddedMongoDBCommand(settings: {
  port: number;
  /** The data file. Its companion files are next to it. */
  path: string;
  /** May do everything. */
  user: string;
  password: string;
  /** Users with rights on one database. */
  users?: readonly DatabaseUser[];
}): { command: string; args: string[]; env: Record<string, string> } {
  return {
    command: process.execPath,
    args: [
      join(CHECKOUT_DIR, 'packages/embedded-mongodb/src/main.ts'),
      '--port',
      String(settings.port),
      '--data',
      settings.path,
    ],
    env: {
      EMBEDDED_MONGODB_USER: settings.user,
      EMBEDDED_MONGODB_PASSWORD: settings.password,
      EMBEDDED_MONGODB_DATABASE_USERS: JSON.stringify(settings.users ?? []),
    },
  };
}

/** Returns its connection string. */
export function embeddedMongoDBUrl({
  port,
  user,
  password,
}: {
  port: number;
  user: string;
  password: string;
}): string {
  return `mongodb://${encodeURIComponent(user)}:${encodeURIComponent(password)}@127.0.0.1:${port}/?authSource=admin`;
}
