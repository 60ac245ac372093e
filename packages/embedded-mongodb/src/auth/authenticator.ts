import { randomBytes } from 'node:crypto';
import { beginScram, deriveCredentials, type ScramConversation, type ScramCredentials } from './scram.ts';

/** The database of the users, as in mongod. Clients name it as `authSource`. */
const USER_DATABASE = 'admin';
export const MECHANISM = 'SCRAM-SHA-256';

export interface UserOptions {
  name: string;
  password: string;
  /** The only database that the user may read and write. Absent for the user that may do everything. */
  onlyDatabase?: string | undefined;
}

export interface KnownUser {
  credentials: ScramCredentials;
  onlyDatabase: string | undefined;
}

export interface Authenticator {
  find(name: string, databaseName: string): KnownUser | undefined;
  begin(clientFirst: string, databaseName: string): ScramConversation;
}

/** Authenticates the configured users. Does not store the passwords themselves. */
export function createAuthenticator(users: readonly UserOptions[]): Authenticator {
  const known = new Map<string, KnownUser>();
  for (const { name, password, onlyDatabase } of users) {
    if (known.has(name)) throw new Error(`The user ${name} is configured twice.`);
    known.set(name, { credentials: deriveCredentials(password), onlyDatabase });
  }
  const unknown = deriveCredentials(randomBytes(32).toString('hex'));
  const find = (name: string, databaseName: string) =>
    databaseName === USER_DATABASE ? known.get(name) : undefined;
  return {
    find,
    begin: (clientFirst, databaseName) =>
      beginScram(clientFirst, (name) => find(name, databaseName)?.credentials ?? unknown),
  };
}
