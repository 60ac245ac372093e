import { randomBytes } from 'node:crypto';
import { beginScram, deriveCredentials, type ScramConversation } from './scram.ts';

/** The database of the users, as in mongod. Clients name it as `authSource`. */
const USER_DATABASE = 'admin';
export const MECHANISM = 'SCRAM-SHA-256';

export interface Authenticator {
  isUser(name: string, databaseName: string): boolean;
  begin(clientFirst: string, databaseName: string): ScramConversation;
}

/** Authenticates the one configured user. Does not store the password itself. */
export function createAuthenticator(user: string, password: string): Authenticator {
  const known = deriveCredentials(password);
  const unknown = deriveCredentials(randomBytes(32).toString('hex'));
  const isUser = (name: string, databaseName: string) => name === user && databaseName === USER_DATABASE;
  return {
    isUser,
    begin: (clientFirst, databaseName) =>
      beginScram(clientFirst, (name) => (isUser(name, databaseName) ? known : unknown)),
  };
}
