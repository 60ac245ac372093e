import type { AuditEntry } from '@tollgate/contracts/audit';
import { DAY_MS } from '@tollgate/contracts/durations';
import { ID_PREFIXES, type IdKind } from '@tollgate/contracts/ids';
import { type AuditAuthor, SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { created } from '../audit-entry.ts';
import type { AccountAction } from '../mail/letters/account-letter.ts';
import type { TeamAction } from '../notices/team-notice.ts';
import { SAMPLE_ADDRESS, type Sample } from './sample.ts';

type Changes = AuditEntry['changes'];

interface TeamEvent {
  environment: AuditEntry['environment'];
  target: AuditEntry['target'];
  changes?: Changes;
  author?: AuditAuthor;
}

const ENDPOINT: TeamEvent = {
  environment: 'live',
  target: {
    type: 'webhook_endpoint',
    id: sampleId('webhookEndpoint'),
    name: 'https://shop.example.com/webhooks',
  },
};
const KEY: TeamEvent = {
  environment: 'live',
  target: { type: 'key', id: sampleId('apiKey'), name: 'Shop backend' },
};
const TOKEN: TeamEvent = {
  environment: null,
  target: { type: 'token', id: sampleId('apiToken'), name: 'Deployment' },
};
const COLLEAGUE: AuditAuthor = {
  actor: { type: 'member', id: sampleId('member'), name: 'Alex Morgan', session_id: null },
  context: SYSTEM_AUTHOR.context,
};

const TEAM_EVENTS: Record<TeamAction, (sample: Sample) => TeamEvent> = {
  'webhook_endpoint.failing': () => ENDPOINT,
  'webhook_endpoint.disabled': () => ENDPOINT,
  'key.leaked': () => KEY,
  'token.leaked': () => TOKEN,
  'key.expiring': (sample) => ({ ...KEY, changes: expiresInAWeek(sample) }),
  'token.expiring': (sample) => ({ ...TOKEN, changes: expiresInAWeek(sample) }),
  'payment.settlement_requested': () => ({
    environment: 'live',
    target: { type: 'payment', id: sampleId('payment'), name: null },
    author: COLLEAGUE,
  }),
  'payment.stuck': ({ team }) => ({
    environment: 'live',
    target: { type: 'payments', id: team.id, name: 'stripe' },
    changes: { stuck_payments: { before: 0, after: 12 } },
  }),
  'log.verification_failed': ({ team }) => ({
    environment: null,
    target: { type: 'audit_records', id: team.id, name: null },
    changes: { findings: { before: 0, after: 1 } },
  }),
};

const ACCOUNT_CHANGES: Partial<Record<AccountAction, (sample: Sample) => Changes>> = {
  'member.signed_in': () => ({ new_device: created(true) }),
  'member.email_changed': ({ member }) => ({ email: { before: member.email, after: 'new@example.com' } }),
};

/** The audit entry that a notice to the team follows. */
export function teamSampleEntry(action: TeamAction, sample: Sample): AuditEntry {
  const { environment, target, changes = {}, author = SYSTEM_AUTHOR } = TEAM_EVENTS[action](sample);
  const application_id = environment && sampleId('application');
  return { ...commonFields(sample), action, environment, application_id, ...author, target, changes };
}

/** The audit entry that a letter to the member about their own account follows. */
export function accountSampleEntry(action: AccountAction, sample: Sample): AuditEntry {
  const { id, name } = sample.member;
  return {
    ...commonFields(sample),
    action,
    environment: null,
    application_id: null,
    actor: { type: 'member', id, name, session_id: null },
    context: {
      ip: SAMPLE_ADDRESS,
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      request_id: null,
    },
    target: { type: 'member', id, name },
    changes: ACCOUNT_CHANGES[action]?.(sample) ?? {},
  };
}

function commonFields({ team, now }: Sample) {
  return { id: sampleId('audit'), occurred_at: now.toISOString(), team_id: team.id };
}

function expiresInAWeek({ now }: Sample): Changes {
  const expiresAt = new Date(now.getTime() + 7 * DAY_MS).toISOString();
  return { expires_at: { before: expiresAt, after: expiresAt } };
}

/** Always the same, so that a preview does not change when it is read again. */
function sampleId(kind: IdKind): string {
  return `${ID_PREFIXES[kind]}_01jz0000000000000000000000`;
}
