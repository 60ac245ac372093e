import type { AuditAction, AuditEntry } from '@tollgate/contracts/audit/audit';
import { SYSTEM_AUTHOR } from '@tollgate/store/audit-author';
import { expect, it } from 'vitest';
import { createDashboardLinks } from './dashboard-links.ts';
import { teamNotice } from './team-notice.ts';

const LINKS = createDashboardLinks('https://pay.example');

function anEntry(action: AuditAction, environment: AuditEntry['environment'], changes = {}): AuditEntry {
  return {
    ...SYSTEM_AUTHOR,
    id: 'aud_1',
    occurred_at: '2026-01-15T09:30:00.000Z',
    team_id: 'team_1',
    action,
    environment,
    application_id: environment && 'app_1',
    target: { type: 'key', id: 'id_1', name: 'Shop' },
    changes,
  };
}

const EXPIRY = { expires_at: { before: '2026-01-22T09:30:00.000Z', after: '2026-01-22T09:30:00.000Z' } };

it.each<[AuditEntry, string, string]>([
  [
    anEntry('webhook_endpoint.failing', 'live'),
    'Webhook endpoint failing: Shop',
    '/live/webhooks/endpoints/id_1',
  ],
  [
    anEntry('webhook_endpoint.disabled', 'live'),
    'Webhook endpoint disabled: Shop',
    '/live/webhooks/endpoints/id_1',
  ],
  [anEntry('key.leaked', 'live'), 'API key found in public: Shop', '/live/applications/app_1/keys/id_1'],
  [anEntry('token.leaked', null), 'API token found in public: Shop', '/team/tokens/id_1'],
  [
    anEntry('key.expiring', 'live', EXPIRY),
    'API key expires soon: Shop',
    '/live/applications/app_1/keys/id_1',
  ],
  [anEntry('token.expiring', null, EXPIRY), 'API token expires soon: Shop', '/team/tokens/id_1'],
  [
    anEntry('payment.settlement_requested', 'live'),
    'A settlement needs your approval',
    '/live/payments/id_1',
  ],
  [
    anEntry('payment.stuck', 'live', { stuck_payments: { before: 0, after: 12 } }),
    'Payments stuck at Shop',
    '/live/processors',
  ],
  [
    anEntry('log.verification_failed', null, { findings: { before: 0, after: 1 } }),
    'Verification of the audit log failed',
    '/audit/verification',
  ],
])('the notice about $action names its subject and links to its page', (entry, subject, path) => {
  const notice = teamNotice(entry, LINKS);
  expect(notice).toMatchObject({ subject, link: { url: `https://pay.example${path}` } });
  expect(notice?.paragraph).not.toContain('undefined');
});

it('another action has no notice', () => {
  expect(teamNotice(anEntry('team.renamed', null), LINKS)).toBeNull();
});
