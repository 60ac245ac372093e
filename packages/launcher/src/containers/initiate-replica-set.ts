/**
 * Initiates the replica set of docker-compose.yml, or adds the members that it lacks. It can be repeated. Reads `MONGODB_URL`, which names one
 * member and a user that may administrate the set, or the path of a file with it in `MONGODB_URL_FILE`; and `MONGODB_MEMBERS`.
 */
import { ensureReplicaSet } from '@tollgate/local-servers/mongodb-replica-set';
import { ConfigError, mongodbUrl, readConfig, text } from '@tollgate/runtime/config';

const NAME = 'tollgate';

const variables = {
  url: mongodbUrl,
  members: text('MONGODB_MEMBERS', {
    description: 'Hosts and ports of the members, separated by commas.',
  }),
};

try {
  const { url, members } = readConfig(process.env, variables);
  await ensureReplicaSet(url, { name: NAME, members: members.split(',') });
  process.stdout.write(`The replica set ${NAME} has the members ${members}.\n`);
} catch (error) {
  const reason = (error as Error).message;
  process.stderr.write(
    error instanceof ConfigError ? `${reason}\n` : `The replica set could not be initiated: ${reason}\n`,
  );
  process.exitCode = 1;
}
