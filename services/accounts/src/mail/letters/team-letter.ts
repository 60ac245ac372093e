import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit';
import { ROLE_BY_ENVIRONMENT, roleAtLeast } from '@tollgate/contracts/roles';
import type { Team } from '../../teams/team.ts';
import type { DashboardLinks } from '../dashboard-links.ts';
import type { Letter } from '../letter.ts';
import { findRecipient } from './find-recipient.ts';
import type { LetterContext } from './letter-context.ts';

interface Notice {
  subject: (entry: AuditEntry) => string;
  paragraph: (entry: AuditEntry) => string;
  link: (entry: AuditEntry, links: DashboardLinks) => Letter['links'][number];
}

/** Notices to members about their team, by action. */
const NOTICES: Partial<Record<AuditAction, Notice>> = {
  'webhook_endpoint.failing': {
    subject: ({ target }) => `Webhook endpoint failing: ${target.name}`,
    paragraph: ({ target }) =>
      `Deliveries to ${target.name} are failing. If they continue to fail, Tollgate disables the endpoint.`,
    link: (entry, links) => ({ label: 'Open the endpoint', url: links.endpoint(entry) }),
  },
  'webhook_endpoint.disabled': {
    subject: ({ target }) => `Webhook endpoint disabled: ${target.name}`,
    paragraph: ({ target }) =>
      `Tollgate disabled ${target.name} because of its responses. Events are not delivered to it until a member enables it. Missed events can be replayed then.`,
    link: (entry, links) => ({ label: 'Open the endpoint', url: links.endpoint(entry) }),
  },
  'key.leaked': {
    subject: ({ target }) => `API key found in public: ${target.name}`,
    paragraph: ({ target, environment }) =>
      `A secret scanner found the ${environment} key ${target.name} in public. If it still works, rotate it now.`,
    link: (entry, links) => ({ label: 'Open the key', url: links.key(entry) }),
  },
  'token.leaked': {
    subject: ({ target }) => `API token found in public: ${target.name}`,
    paragraph: ({ target }) =>
      `A secret scanner found the API token ${target.name} in public. Tollgate revoked it. Scripts that use it need a new one.`,
    link: (entry, links) => ({ label: 'Open the token', url: links.token(entry) }),
  },
  'payment.settlement_requested': {
    subject: () => 'A settlement needs your approval',
    paragraph: ({ actor, target }) =>
      `${actor.name ?? 'A member'} asks to settle the payment ${target.id}. The settlement needs a second member.`,
    link: (entry, links) => ({ label: 'Open the payment', url: links.payment(entry) }),
  },
};

/** Whether members are notified. A member who disables an endpoint needs no notice, so only the platform's doing counts. */
export function isTeamNews({ action, actor }: AuditEntry): boolean {
  if (!NOTICES[action]) return false;
  return action !== 'webhook_endpoint.disabled' || actor.type === 'system';
}

/** The members of the team who may act on it, without the one who did it. */
export function teamLetterMembers({ memberships }: Team, { environment, actor }: AuditEntry): string[] {
  const required = ROLE_BY_ENVIRONMENT[environment ?? 'live'];
  return memberships
    .filter(({ memberId, role }) => roleAtLeast(role, required) && memberId !== actor.id)
    .map(({ memberId }) => memberId);
}

/** Null when the member has left the team, or does not want such mail. */
export async function teamLetter(
  context: LetterContext,
  entry: AuditEntry,
  memberId: string,
): Promise<Letter | null> {
  const notice = NOTICES[entry.action];
  const recipient = await findRecipient(context, entry, memberId);
  if (!notice || !recipient?.member.email || !recipient.member.getsTeamMail) return null;
  return {
    to: recipient.member.email,
    subject: notice.subject(entry),
    paragraphs: [notice.paragraph(entry)],
    facts: recipient.facts,
    links: [notice.link(entry, context.links)],
    unexpected: 'You can turn off mail about your team on the page of your account.',
  };
}
