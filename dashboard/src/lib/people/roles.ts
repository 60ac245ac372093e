import type { Role } from '@tollgate/contracts/platform/roles';

export interface RoleChoice {
  value: Role;
  label: string;
  /** What a member with this role may do, in one sentence. */
  description: string;
}

/** In the order of `ROLES`. */
export const ROLE_CHOICES: readonly RoleChoice[] = [
  {
    value: 'viewer',
    label: 'Viewer',
    description: 'Reads payments, applications, webhooks, usage, and the audit log. Changes nothing.',
  },
  {
    value: 'auditor',
    label: 'Auditor',
    description: 'Reads and exports everything, including the audit log and team settings. Changes nothing.',
  },
  {
    value: 'developer',
    label: 'Developer',
    description: 'Can manage applications, sandbox keys, and sandbox payments.',
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

export function roleLabel(role: Role): string {
  return ROLE_CHOICES.find(({ value }) => value === role)?.label ?? role;
}
