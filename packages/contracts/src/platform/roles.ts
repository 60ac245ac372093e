import type { Environment } from './environment.ts';

/** From least to most privileged. Each role includes the permissions of the previous ones. */
export const ROLES = ['viewer', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

export function roleAtLeast(role: Role, required: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(required);
}

/** The role that a change requires, by the environment that it affects. */
export const ROLE_BY_ENVIRONMENT = { live: 'admin', sandbox: 'developer' } as const satisfies Record<
  Environment,
  Role
>;
