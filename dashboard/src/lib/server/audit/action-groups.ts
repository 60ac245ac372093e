import { AUDIT_ACTIONS, type AuditTarget } from '@tollgate/contracts/audit/audit';
import type { OptionGroup } from '#lib/components/option.ts';
import { optionsOf } from '../list/filter.ts';

/** The headings of action groups, each with the name prefixes of its actions. */
const GROUPS: readonly { label: string; prefixes: readonly string[] }[] = [
  { label: 'Applications', prefixes: ['application'] },
  { label: 'API keys', prefixes: ['key'] },
  { label: 'API tokens', prefixes: ['token', 'login'] },
  { label: 'Payments', prefixes: ['payment', 'sandbox'] },
  { label: 'Webhooks', prefixes: ['webhook_endpoint', 'delivery'] },
  { label: 'Team', prefixes: ['team', 'invitation'] },
  { label: 'Members and sign-in', prefixes: ['member', 'session'] },
  { label: 'Data access', prefixes: ['payments', 'audit_records', 'usage', 'log'] },
];

/** All actions, grouped under headings, as options of a filter. */
export function actionGroups(): OptionGroup[] {
  return GROUPS.map(({ label, prefixes }) => ({
    label,
    options: optionsOf(AUDIT_ACTIONS).filter(({ value }) => prefixes.includes(value.split('.')[0] ?? '')),
  }));
}

/** The kinds of targets that records have. */
export const TARGET_LABELS: Record<AuditTarget, string> = {
  application: 'Application',
  key: 'API key',
  team: 'Team',
  invitation: 'Invitation',
  member: 'Member',
  session: 'Session',
  token: 'API token',
  webhook_endpoint: 'Webhook endpoint',
  delivery: 'Delivery',
  payment: 'Payment',
  payments: 'Payments',
  audit_records: 'Audit records',
  usage: 'Usage',
};
