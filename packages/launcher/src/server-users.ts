import { natsUsers, type SharedUser } from '@tollgate/bus/permissions/nats-users';
import { DATABASE_OWNERS, DATABASES } from '@tollgate/contracts/platform/databases';
import type { DatabaseUser } from '@tollgate/local-servers/mongodb-users';
import type { Secrets } from './secrets.ts';

/** The `authorization` block of NATS with these passwords. */
export function natsAuthorization(
  { natsPasswords }: Pick<Secrets, 'natsPasswords'>,
  sharedUser?: SharedUser,
): string {
  return natsUsers({
    password: (name) => JSON.stringify(natsPasswords[name]),
    ...(sharedUser && { sharedUser: { ...sharedUser, password: JSON.stringify(sharedUser.password) } }),
  });
}

/** A MongoDB user for each service, with rights on its own database only. */
export function mongodbUsers({ mongodbPasswords }: Pick<Secrets, 'mongodbPasswords'>): DatabaseUser[] {
  return DATABASE_OWNERS.map((owner) => ({
    user: owner,
    password: mongodbPasswords[owner],
    database: DATABASES[owner],
  }));
}
