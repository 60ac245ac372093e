import type { Role } from '@tollgate/contracts/actor';

interface RoleChoice {
  value: Role;
  label: string;
  /** What a member of this role may do, in a sentence. */
  description: string;
}

/** From least to most, as people choose among them. */
export const ROLE_CHOICES: readonly RoleChoice[] = [
  { value: 'viewer', label: 'Viewer', description: 'Sees everything the team has, and changes nothing.' },
  {
    value: 'developer',
    label: 'Developer',
    description: 'Also manages applications, their sandbox keys and sandbox payments.',
  },
  {
    value: 'admin',
    label: 'Admin',
    description: 'Also manages whatever affects live: live keys, scopes, limits and settling payments.',
  },
  {
    value: 'owner',
    label: 'Owner',
    description: 'Also manages members, their roles and invitations.',
  },
];

export function roleLabel(role: Role): string {
  return ROLE_CHOICES.find(({ value }) => value === role)?.label ?? role;
}
