import type { ProcessName } from '@tollgate/bus/permissions/process-table';
import type { RoleName } from '@tollgate/configuration/roles';
import { DATABASE_OWNERS, type DatabaseOwner } from '@tollgate/contracts/platform/databases';
import type { Clock } from '@tollgate/runtime/clock';
import {
  ConfigError,
  commonVariables,
  type Environment,
  mongodbUrl,
  processVariables,
  readConfig,
  streamVariables,
  type Variable,
} from '@tollgate/runtime/config';
import { checkAddresses } from './check-addresses.ts';
import { checkConfiguration } from './check-configuration.ts';
import { checkMongoDB } from './check-mongodb.ts';
import { checkNats } from './check-nats.ts';
import { type Finding, notChecked } from './finding.ts';

/** Checks the roles with this environment. */
export async function diagnose(
  env: Environment,
  roles: readonly RoleName[],
  clock: Clock,
): Promise<Finding[]> {
  return [
    ...roles.flatMap((role) => checkConfiguration(env, role)),
    ...(await checkServers(env, roles, clock)),
    ...(await checkAddressesOf(env, roles)),
  ];
}

async function checkServers(env: Environment, roles: readonly RoleName[], clock: Clock): Promise<Finding[]> {
  const processes = roles.filter((role) => role !== 'dashboard');
  if (processes.length === 0) return [];
  const owners = DATABASE_OWNERS.filter((owner) => roles.includes(owner));
  const findings = await checkNatsOf(env, processes, clock);
  for (const owner of owners) findings.push(...(await checkMongoDBOf(env, owner, clock)));
  return findings;
}

async function checkNatsOf(env: Environment, processes: ProcessName[], clock: Clock): Promise<Finding[]> {
  const config = configOrNull(env, { url: commonVariables.natsUrl, ...streamVariables });
  if (config === null) return [notChecked('nats', 'connection', 'Its variables are not valid.')];
  const { url, natsReplicas: replicas, natsStreamMaxBytes: maxBytes } = config;
  return checkNats({ url, replicas, maxBytes, processes }, clock);
}

async function checkMongoDBOf(env: Environment, owner: DatabaseOwner, clock: Clock): Promise<Finding[]> {
  const config = configOrNull(env, { url: mongodbUrl });
  if (config === null) return [notChecked('mongodb', owner, 'MONGODB_URL is not valid.')];
  return checkMongoDB(config.url, owner, clock);
}

/** Only these processes are reached by clients, through proxies. */
const BEHIND_PROXIES: readonly RoleName[] = ['gateway', 'dashboard'];

async function checkAddressesOf(env: Environment, roles: readonly RoleName[]): Promise<Finding[]> {
  const config = configOrNull(env, processVariables);
  const findings: Finding[] = [];
  for (const role of roles.filter((name) => BEHIND_PROXIES.includes(name))) {
    findings.push(
      config === null
        ? notChecked('addresses', role, 'OPS_HOST or OPS_PORT is not valid.')
        : await checkAddresses(role, config),
    );
  }
  return findings;
}

/** Null for wrong values, which the check of the configuration reports. */
function configOrNull<Config extends object>(
  env: Environment,
  variables: { [Name in keyof Config]: Variable<Config[Name]> },
): Config | null {
  try {
    return readConfig(env, variables);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
