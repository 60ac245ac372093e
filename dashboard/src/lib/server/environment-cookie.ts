import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';

export const ENVIRONMENT_COOKIE = 'environment';

/** The environment that a cookie or a request names. The default is the sandbox, where no real money moves. */
export function readEnvironment(name: unknown): Environment {
  return ENVIRONMENTS.find((environment) => environment === name) ?? 'sandbox';
}
