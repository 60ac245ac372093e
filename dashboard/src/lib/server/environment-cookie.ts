import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/environment';

export const ENVIRONMENT_COOKIE = 'environment';

/** The environment somebody was in last; sandbox for whoever comes first, because nothing there moves money. */
export function readEnvironment(cookie: string | undefined): Environment {
  return ENVIRONMENTS.find((environment) => environment === cookie) ?? 'sandbox';
}
