import { ROLES, type Role } from '@tollgate/contracts/platform/roles';
import { inWords } from '#lib/format/label-of.ts';

/** What a member with the role may do, in one sentence. */
const DESCRIPTIONS: Record<Role, string> = {
  viewer: 'Reads payments, applications, webhooks, usage, and the audit log. Changes nothing.',
  auditor: 'Reads and exports everything, including the audit log and team settings. Changes nothing.',
  developer: 'Can manage applications, sandbox keys, and sandbox payments.',
  admin: 'Can also manage live keys, scopes, rate limits, and payment settlement.',
  owner: 'Can also manage members, roles, and invitations.',
};

export const ROLE_CHOICES = ROLES.map((value) => ({
  value,
  label: roleLabel(value),
  description: DESCRIPTIONS[value],
}));

export function roleLabel(role: Role): string {
  return inWords(role);
}
