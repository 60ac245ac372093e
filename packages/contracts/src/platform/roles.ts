import type { Environment } from './environment.ts';

/**
 * From least to most privileged, apart from the auditor: an auditor reads everything in the team, also what only admins and owners
 * read, and changes as little as a viewer. Every other role includes the permissions of the previous ones.
 */
export const ROLES = ['viewer', 'auditor', 'developer', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** A role that a permission can require. A permission to read never requires an auditor: see `mayRead`. */
export type RequiredRole = Exclude<Role, 'auditor'>;

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, auditor: 0, developer: 1, admin: 2, owner: 3 };

/** False for the role of a later release: what this one does not know is denied. */
export function roleAtLeast(role: Role, required: RequiredRole): boolean {
  return (RANKS[role] ?? -1) >= RANKS[required];
}

/** Whether a role may read what otherwise requires this role. */
export function mayRead(role: Role, required: RequiredRole): boolean {
  return role === 'auditor' || roleAtLeast(role, required);
}

/** The role that a change requires, by the environment that it affects. */
export const ROLE_BY_ENVIRONMENT = { live: 'admin', sandbox: 'developer' } as const satisfies Record<
  Environment,
  Role
>;
