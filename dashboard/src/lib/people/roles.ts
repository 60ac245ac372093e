import type { Role } from '@tollgate/contracts/roles';

export interface RoleChoice {
  value: Role;
  label: string;
  /** What a member with this role may do, in one sentence. */
  description: string;
}

/** From lowest to highest. */
export const ROLE_CHOICES: readonly RoleChoice[] = [
  { value: 'viewer', label: 'Viewer', description: 'Read-only access to everything in the team.' },
  {
    value: 'developer',
    label: 'Developer',
    description: 'Can also manage applications, sandbox keys, and sandbox payments.',
  },
  {
    value: 'admin',
    label: 'Admin',
    description: 'Can also manage live keys, scopes, rate limits, and payment settlement.',
  },
  {
    value: 'owner',
    label: 'Owner',
    description: 'Can also manage members, roles, and invitations.',
  },
];

/** A role that only a later release knows is shown by its name. */
export function roleChoice(role: Role): RoleChoice {
  return ROLE_CHOICES.find(({ value }) => value === role) ?? { value: role, label: role, description: '' };
}

export function roleLabel(role: Role): string {
  return roleChoice(role).label;
}
