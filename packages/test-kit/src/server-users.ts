import type { DatabaseUser } from '@tollgate/local-servers/mongodb-users';

/** The user of the tests themselves, who may do everything. */
export const TEST_USER = 'tollgate';

/** Returns the `authorization` block of a NATS configuration, with the user of the tests. */
export type AuthorizationOf = (testUser: { name: string; password: string }) => string;

/** Users of a server under test, besides that of the tests. */
export interface ServerUsers {
  nats?: AuthorizationOf;
  mongodb?: readonly DatabaseUser[];
}
