import type { NoticeTopic } from '@tollgate/contracts/accounts/notice-topics';
import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import type { DashboardLinks } from './dashboard-links.ts';
import { timeText } from './time-text.ts';

/** What members read about an event of their team, by mail and in the chat. Every text is plain text. */
export interface TeamNotice {
  topic: NoticeTopic;
  subject: string;
  paragraph: string;
  link: { label: string; url: string };
}

type Write = (entry: AuditEntry, links: DashboardLinks) => TeamNotice;

const NOTICES: Partial<Record<AuditAction, Write>> = {
  'webhook_endpoint.failing': (entry, links) => ({
    topic: 'webhooks',
    subject: `Webhook endpoint failing: ${entry.target.name}`,
    paragraph: `Deliveries to ${entry.target.name} are failing. If they continue to fail, Tollgate disables the endpoint.`,
    link: { label: 'Open the endpoint', url: links.endpoint(entry) },
  }),
  'webhook_endpoint.disabled': (entry, links) => ({
    topic: 'webhooks',
    subject: `Webhook endpoint disabled: ${entry.target.name}`,
    paragraph: `Tollgate disabled ${entry.target.name} because of its responses. Events are not delivered to it until a member enables it. Missed events can be replayed then.`,
    link: { label: 'Open the endpoint', url: links.endpoint(entry) },
  }),
  'key.leaked': (entry, links) => ({
    topic: 'credentials',
    subject: `API key found in public: ${entry.target.name}`,
    paragraph: `A secret scanner found the ${entry.environment} key ${entry.target.name} in public. If it still works, rotate it now.`,
    link: { label: 'Open the key', url: links.key(entry) },
  }),
  'token.leaked': (entry, links) => ({
    topic: 'credentials',
    subject: `API token found in public: ${entry.target.name}`,
    paragraph: `A secret scanner found the API token ${entry.target.name} in public. Tollgate revoked it. Scripts that use it need a new one.`,
    link: { label: 'Open the token', url: links.token(entry) },
  }),
  'key.expiring': (entry, links) => ({
    topic: 'credentials',
    subject: `API key expires soon: ${entry.target.name}`,
    paragraph: `The ${entry.environment} key ${entry.target.name} expires ${expiryOf(entry)}. Applications that use it get errors from then on. Rotate it, or change its expiry.`,
    link: { label: 'Open the key', url: links.key(entry) },
  }),
  'token.expiring': (entry, links) => ({
    topic: 'credentials',
    subject: `API token expires soon: ${entry.target.name}`,
    paragraph: `The API token ${entry.target.name} expires ${expiryOf(entry)}. Scripts that use it get errors from then on. Create another one.`,
    link: { label: 'Open the token', url: links.token(entry) },
  }),
  'payment.settlement_requested': (entry, links) => ({
    topic: 'settlements',
    subject: 'A settlement needs your approval',
    paragraph: `${entry.actor.name ?? 'A member'} asks to settle the payment ${entry.target.id}. The settlement needs a second member.`,
    link: { label: 'Open the payment', url: links.payment(entry) },
  }),
  'payment.stuck': (entry, links) => ({
    topic: 'payments',
    subject: `Payments stuck at ${entry.target.name}`,
    paragraph: `${stuckPayments(entry)} at the processor ${entry.target.name} for longer than expected (${entry.environment}). Check whether the processor has an incident. You get the next notice after none is stuck any more.`,
    link: { label: 'Open the processors', url: links.processors(entry) },
  }),
  'log.verification_failed': (entry, links) => ({
    topic: 'audit',
    subject: 'Verification of the audit log failed',
    paragraph: `The audit log of the team does not match its signed tree heads: ${findings(entry)}. Records were changed, deleted, or inserted outside of Tollgate, or the database was restored without a declaration.`,
    link: { label: 'Open the verification', url: links.verification },
  }),
};

function stuckPayments({ changes }: AuditEntry): string {
  const count = changes['stuck_payments']?.after;
  return count === 1 ? 'A payment has been processing' : `${count} payments have been processing`;
}

function findings({ changes }: AuditEntry): string {
  const count = changes['findings']?.after;
  return count === 1 ? 'the verification found 1 problem' : `the verification found ${count} problems`;
}

function expiryOf({ changes }: AuditEntry): string {
  const expiresAt = changes['expires_at']?.after;
  return typeof expiresAt === 'string' ? `on ${timeText(new Date(expiresAt))}` : 'soon';
}

/** Whether members are notified. A member who disables an endpoint needs no notice, so only the platform's doing counts. */
export function isTeamNotice({ action, actor }: AuditEntry): boolean {
  if (!NOTICES[action]) return false;
  return action !== 'webhook_endpoint.disabled' || actor.type === 'system';
}

/** The notice about an entry; null when there is none. */
export function teamNotice(entry: AuditEntry, links: DashboardLinks): TeamNotice | null {
  return isTeamNotice(entry) ? (NOTICES[entry.action]?.(entry, links) ?? null) : null;
}
