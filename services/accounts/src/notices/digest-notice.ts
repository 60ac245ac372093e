import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit';
import type { DashboardLinks } from './dashboard-links.ts';
import { type TeamAction, type TeamNotice, teamNotice } from './team-notice.ts';

type Combine = (count: number, entry: AuditEntry, links: DashboardLinks) => Omit<TeamNotice, 'topic'>;

/** Several notices of a kind as one, by action. */
const DIGESTS = {
  'webhook_endpoint.failing': (count, entry, links) => ({
    subject: `${count} more webhook endpoints are failing`,
    paragraph: `Deliveries to ${count} more ${entry.environment} endpoints are failing. If they continue to fail, Tollgate disables the endpoints.`,
    link: { label: 'Open the endpoints', url: links.endpoints(entry) },
  }),
  'webhook_endpoint.disabled': (count, entry, links) => ({
    subject: `${count} more webhook endpoints disabled`,
    paragraph: `Tollgate disabled ${count} more ${entry.environment} endpoints because of their responses. Events are not delivered to them until a member enables them.`,
    link: { label: 'Open the endpoints', url: links.endpoints(entry) },
  }),
  'key.expiring': (count, entry, links) => ({
    subject: `${count} more API keys expire soon`,
    paragraph: `${count} more ${entry.environment} keys expire soon. Applications that use them get errors from then on. Rotate them, or change their expiry.`,
    link: { label: 'Open the keys', url: links.keys(entry) },
  }),
  'key.leaked': (count, entry, links) => ({
    subject: `${count} more API keys found in public`,
    paragraph: `A secret scanner found ${count} more ${entry.environment} keys in public. Rotate those that still work now.`,
    link: { label: 'Open the keys', url: links.keys(entry) },
  }),
  'token.expiring': (count, _entry, links) => ({
    subject: `${count} more API tokens expire soon`,
    paragraph: `${count} more API tokens expire soon. Scripts that use them get errors from then on. Create others.`,
    link: { label: 'Open the tokens', url: links.tokens },
  }),
  'token.leaked': (count, _entry, links) => ({
    subject: `${count} more API tokens found in public`,
    paragraph: `A secret scanner found ${count} more API tokens in public. Tollgate revoked them. Scripts that use them need new ones.`,
    link: { label: 'Open the tokens', url: links.tokens },
  }),
  'payment.settlement_requested': (count, _entry, links) => ({
    subject: `${count} more settlements need your approval`,
    paragraph: `Members ask to settle ${count} more payments. Each settlement needs a second member.`,
    link: { label: 'Open the home page', url: links.live },
  }),
  'payment.stuck': (count, entry, links) => ({
    subject: `Payments stuck at ${count} more processors`,
    paragraph: `Payments have been processing at ${count} more processors for longer than expected (${entry.environment}).`,
    link: { label: 'Open the processors', url: links.processors(entry) },
  }),
} satisfies Partial<Record<TeamAction, Combine>>;

const DIGEST_BY_ACTION: Partial<Record<AuditAction, Combine>> = DIGESTS;

/** The notice about an entry, or about as many entries of its kind; null when there is none. */
export function noticeOf(entry: AuditEntry, count: number, links: DashboardLinks): TeamNotice | null {
  const single = teamNotice(entry, links);
  const combine = DIGEST_BY_ACTION[entry.action];
  return single && count > 1 && combine ? { topic: single.topic, ...combine(count, entry, links) } : single;
}
