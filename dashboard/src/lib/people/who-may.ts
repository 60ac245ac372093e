import type { Environment } from '@tollgate/contracts/platform/environment';

/** Who changes what belongs to an environment, for a member who may not: "Admins and owners can add endpoints." */
export function whoMay(environment: Environment): string {
  return environment === 'live' ? 'Admins and owners' : 'Developers, admins, and owners';
}
