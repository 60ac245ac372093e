/**
 * Gives each service its own MongoDB user, with rights on its own database only. It can be repeated. Reads
 * `MONGODB_URL`, with a user that may create others, and `MONGODB_PASSWORD_<SERVICE>` for each service, or the paths of files
 * with them in `<name>_FILE`.
 */
import { DATABASE_OWNERS } from '@tollgate/contracts/platform/databases';
import { createMongoDBUsers } from '@tollgate/local-servers/mongodb-users';
import { ConfigError, readConfig } from '@tollgate/runtime/config';
import { mongodbUsers } from '../server-users.ts';
import { mongodbUsersVariables } from './mongodb-users-variables.ts';

try {
  const { url, ...mongodbPasswords } = readConfig(process.env, mongodbUsersVariables);
  await createMongoDBUsers(url, mongodbUsers({ mongodbPasswords }));
  process.stdout.write(`Created or updated the MongoDB users ${DATABASE_OWNERS.join(', ')}.\n`);
} catch (error) {
  const reason = (error as Error).message;
  process.stderr.write(
    error instanceof ConfigError ? `${reason}\n` : `The MongoDB users could not be created: ${reason}\n`,
  );
  process.exitCode = 1;
}
