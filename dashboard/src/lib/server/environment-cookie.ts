import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/environment';

export const ENVIRONMENT_COOKIE = 'environment';

/** The environment someone was in last; sandbox for anyone who comes first, because nothing there moves money. */
export function readEnvironment(cookie: string | undefined): Environment {
  return ENVIRONMENTS.find((environment) => environment === cookie) ?? 'sandbox';
}
