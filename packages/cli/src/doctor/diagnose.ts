import type { RoleName } from '@tollgate/configuration/roles';
import { DATABASE_OWNERS } from '@tollgate/contracts/databases';
import type { Clock } from '@tollgate/runtime/clock';
import {
  ConfigError,
  commonVariables,
  type Environment,
  mongodbUrl,
  natsReplicas,
  readConfig,
  type Variable,
} from '@tollgate/runtime/config';
import { checkConfiguration } from './check-configuration.ts';
import { checkMongoDB } from './check-mongodb.ts';
import { checkNats } from './check-nats.ts';
import { type Finding, notChecked } from './finding.ts';
import { checkVersion } from './fixed-versions.ts';

/** Checks the roles with this environment. */
export async function diagnose(
  env: Environment,
  roles: readonly RoleName[],
  clock: Clock,
): Promise<Finding[]> {
  return [
    ...roles.flatMap((role) => checkConfiguration(env, role)),
    checkVersion('Node', process.versions.node),
    ...(await checkServers(env, roles, clock)),
  ];
}

async function checkServers(env: Environment, roles: readonly RoleName[], clock: Clock): Promise<Finding[]> {
  const processes = roles.filter((role) => role !== 'dashboard');
  if (processes.length === 0) return [];
  const url = validOrNull(env, commonVariables.natsUrl);
  const databaseUrl = validOrNull(env, mongodbUrl);
  const owners = DATABASE_OWNERS.filter((owner) => roles.includes(owner));
  const findings =
    url === null
      ? [notChecked('nats', 'connection', 'NATS_URL is not valid.')]
      : await checkNats({ url, replicas: validOrNull(env, natsReplicas) ?? 1, processes }, clock);
  for (const owner of owners) {
    findings.push(
      ...(databaseUrl === null
        ? [notChecked('mongodb', owner, 'MONGODB_URL is not valid.')]
        : await checkMongoDB(databaseUrl, owner, clock)),
    );
  }
  return findings;
}

/** Null for a wrong value, which the check of the configuration reports. */
function validOrNull<T>(env: Environment, variable: Variable<T>): T | null {
  try {
    return readConfig<{ value: T }>(env, { value: variable }).value;
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
