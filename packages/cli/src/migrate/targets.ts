import { migrateVariables } from '@tollgate/configuration/migrate-variables';
import { DATABASE_OWNERS, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import { ConfigError, type Environment, readConfig } from '@tollgate/runtime/config';
import { UsageError } from '../command.ts';

/** A database to migrate, and with which user. */
export interface Target {
  owner: DatabaseOwner;
  url: string;
}

/** The databases of the services in `--service`, or else all that the environment has a URL for. */
export function chooseTargets(env: Environment, option: string | undefined): Target[] {
  const urls = readUrls(env);
  const { url } = urls;
  const general = isOwner(userOf(url)) ? [userOf(url)] : DATABASE_OWNERS;
  const available = DATABASE_OWNERS.flatMap((owner) => {
    const own = urls[owner] || (general.includes(owner) ? url : '');
    return own === '' ? [] : [{ owner, url: own }];
  });
  const wanted =
    option?.split(',').map((name) => requireOwner(name.trim())) ?? available.map(({ owner }) => owner);
  return wanted.map((owner) => {
    const target = available.find((candidate) => candidate.owner === owner);
    if (target) return target;
    throw new UsageError(`MONGODB_URL_${owner.toUpperCase()} is not set. Set it, or set MONGODB_URL.`);
  });
}

function readUrls(env: Environment) {
  try {
    return readConfig<Record<DatabaseOwner | 'url', string>>(env, migrateVariables);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message);
    throw error;
  }
}

const isOwner = (name: string): name is DatabaseOwner => (DATABASE_OWNERS as string[]).includes(name);

function requireOwner(name: string): DatabaseOwner {
  if (isOwner(name)) return name;
  throw new UsageError(
    `${JSON.stringify(name)} is not a service with a database. Pass one of ${DATABASE_OWNERS.join(', ')}.`,
  );
}

/** URLs of replica sets have several hosts, which `URL` does not read. */
function userOf(url: string): string {
  return decodeURIComponent(/^mongodb(?:\+srv)?:\/\/([^:@/]+)(?::[^@/]*)?@/.exec(url)?.[1] ?? '');
}
