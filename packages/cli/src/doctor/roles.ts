import { ROLES, type RoleName } from '@tollgate/configuration/roles';
import type { Environment } from '@tollgate/runtime/config';
import { fileVariable, readSetting, SettingProblem } from '@tollgate/runtime/secret-file';
import { UsageError } from '../command.ts';

const NAMES = Object.keys(ROLES) as RoleName[];
const isRole = (name: string): name is RoleName => Object.hasOwn(ROLES, name);

/** The roles of `--role`; otherwise the one whose user is in NATS_URL, or all whose required variables are set. */
export function chooseRoles(env: Environment, option: string | undefined): RoleName[] {
  if (option !== undefined) return option.split(',').map((name) => requireRole(name.trim()));
  const user = natsUser(env);
  if (isRole(user)) return [user];
  const complete = NAMES.filter((name) => isComplete(env, name));
  if (complete.length > 0) return complete;
  throw new UsageError(
    `No variable of a process is set. Run the command in the environment of a process, or pass --role: ${NAMES.join(', ')}.`,
  );
}

function requireRole(name: string): RoleName {
  if (isRole(name)) return name;
  throw new UsageError(`${JSON.stringify(name)} is not a role. Pass one of ${NAMES.join(', ')}.`);
}

function natsUser(env: Environment): string {
  try {
    return decodeURIComponent(
      URL.parse(readSetting(env, 'NATS_URL', { isSecret: true }).text.split(',')[0] ?? '')?.username ?? '',
    );
  } catch (error) {
    if (error instanceof SettingProblem) return '';
    throw error;
  }
}

function isComplete(env: Environment, name: RoleName): boolean {
  return Object.values(ROLES[name].variables)
    .filter((variable) => !('fallback' in variable))
    .every((variable) => Boolean(env[variable.name] || env[fileVariable(variable.name)]));
}
