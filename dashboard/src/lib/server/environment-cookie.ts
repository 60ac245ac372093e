import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';

export const ENVIRONMENT_COOKIE = 'environment';

/** The environment that the member used last. The default is the sandbox, where no real money moves. */
export function readEnvironment(cookie: string | undefined): Environment {
  return ENVIRONMENTS.find((environment) => environment === cookie) ?? 'sandbox';
}
