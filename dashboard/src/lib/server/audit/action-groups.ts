import { AUDIT_ACTIONS, type AuditAction, type AuditTarget } from '@tollgate/contracts/audit/audit';

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

export interface ActionGroup {
  label: string;
  options: { value: AuditAction; label: string }[];
}

/** All actions, grouped under headings, as options of a filter. */
export function actionGroups(): ActionGroup[] {
  const actions = Object.entries(AUDIT_ACTIONS) as [AuditAction, string][];
  return GROUPS.map(({ label, prefixes }) => ({
    label,
    options: actions
      .filter(([action]) => prefixes.includes(action.split('.')[0] ?? ''))
      .map(([value, words]) => ({ value, label: words })),
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
