import { listInvitations, listMembers, listTokens } from '@tollgate/contracts/accounts/rpc';
import { getApplication, getKey, listApplications, listKeys } from '@tollgate/contracts/applications/rpc';
import { getPayment } from '@tollgate/contracts/payments/rpc';
import { getEndpoint, listEndpoints } from '@tollgate/contracts/webhooks/rpc';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { type FullTeam, fillTeam } from '../../support/browser/full-team.ts';
import { needsSession, PAGES } from '../../support/browser/pages.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

/** Pages that a viewer may not open. */
const OF_GREATER_ROLES = [
  '(app)/[environment=environment]/applications/new',
  '(app)/[environment=environment]/applications/[application_id]/keys/new',
  '(app)/[environment=environment]/applications/[application_id]/keys/[key_id]/edit',
  '(app)/[environment=environment]/webhooks/endpoints/new',
  '(app)/[environment=environment]/webhooks/endpoints/[endpoint_id]/edit',
  '(app)/team/invite',
  '(app)/team/notifications',
  '(app)/team/sandbox',
  '(app)/team/single-sign-on',
  '(app)/team/tokens',
  '(app)/team/tokens/new',
  '(app)/team/tokens/[token_id]',
  '(app)/teams/new',
];
/** Pages on which every member changes their own account, or acts for themselves. */
const OF_ONESELF = /^(\(app\)\/account|\(entry\)\/(device|reauthenticate)$)/;

describeInBrowser('actions that a role does not allow are not offered, and are denied when attempted', () => {
  let platform: SharedPlatform;
  let team: FullTeam;
  let viewer: Visitor;
  let auditor: Visitor;
  let developer: Visitor;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const emptyTeam = await platform.createTeam();
    team = await fillTeam(platform, emptyTeam);
    viewer = await visitAs(await emptyTeam.createMember('viewer'));
    auditor = await visitAs(await emptyTeam.createMember('auditor'));
    developer = await visitAs(team.developer);
  });
  afterAll(async () => {
    await team?.close();
    await platform?.leave();
  });

  const others = Object.entries(PAGES).filter(([page]) => needsSession(page) && !OF_ONESELF.test(page));
  test.for(others)('a viewer finds nothing to change on %s', async ([name, addressIn]) => {
    const { page } = viewer;
    const address = await addressIn(team);
    const response = await page.goto(address);
    expect(response?.status()).toBe(OF_GREATER_ROLES.includes(name) ? 403 : 200);
    expect(await offersOf(page)).toEqual([]);
    if (!address.startsWith('/sandbox')) return;
    await page.goto(address.replace('/sandbox', '/live'));
    expect(await offersOf(page)).toEqual([]);
  });

  test('a viewer who submits the forms anyway is denied, and nothing changes', async () => {
    const before = await readTeam();
    for (const [path, form] of forbiddenForms()) {
      const response = await viewer.context.request.post(path, {
        form,
        headers: { origin: platform.dashboardUrl },
      });
      expect.soft(response.status(), path).toBe(403);
    }
    expect(await readTeam()).toEqual(before);
  });

  test.for(['/team/tokens', '/team/notifications', '/team/single-sign-on'])(
    'an auditor reads %s, and can change nothing there',
    async (path) => {
      const response = await auditor.page.goto(path);
      expect(response?.status()).toBe(200);
      await auditor.page.getByRole('main').getByRole('heading').first().waitFor();
      expect(await auditor.page.getByRole('main').locator('button:enabled:visible').allInnerTexts()).toEqual(
        [],
      );
      expect(await auditor.page.getByRole('main').locator('a[href$="/new"]').count()).toBe(0);
    },
  );

  test('an auditor exports the audit log, and does not open pages on which something is created', async () => {
    await auditor.page.goto('/audit/verification');
    await auditor.page.getByRole('button', { name: 'Export records' }).waitFor();
    for (const path of ['/team/tokens/new', '/team/invite', '/team/sandbox'])
      expect((await auditor.page.goto(path))?.status()).toBe(403);
  });

  test('a developer may manage keys and settle payments in the sandbox, but not in live', async () => {
    const { page } = developer;
    const { application, pendingPaymentId, livePaymentId } = team;
    const pages = {
      application: (environment: string) => `/${environment}/applications/${application.id}`,
      key: (environment: 'live' | 'sandbox') =>
        `/${environment}/applications/${application.id}/keys/${application.keyIds[environment]}`,
    };
    await page.goto(pages.application('sandbox'));
    const ofBoth = ['2 fields', 'Edit labels', 'Rename', 'Save requirement'];
    expect(await offersOf(page)).toEqual(['Add endpoint', 'Create API key', ...ofBoth].toSorted());
    await page.goto(pages.application('live'));
    expect(await offersOf(page)).toEqual(ofBoth);
    expect(await page.getByRole('switch', { name: 'Required in live' }).isDisabled()).toBe(true);
    await page.goto(pages.key('sandbox'));
    expect(await offersOf(page)).toEqual(['Edit', 'Revoke', 'Rotate']);
    await page.goto(pages.key('live'));
    expect(await offersOf(page)).toEqual([]);
    await page.goto(`/sandbox/payments/${pendingPaymentId}`);
    expect(await offersOf(page)).toEqual([
      // The processor reports the payment otherwise.
      '1 fields',
      'Cancel payment',
      'Mark as resolved',
      'Simulate expiry',
      'Simulate failure',
      'Simulate success',
    ]);
    await page.goto(`/live/payments/${livePaymentId}`);
    expect(await offersOf(page)).toEqual([]);
    const newKey = await page.goto(`${pages.application('live')}/keys/new`);
    expect(newKey?.status()).toBe(403);
    const edit = await page.goto(`${pages.key('live')}/edit`);
    expect(edit?.status()).toBe(403);
    await page.getByText('requires the admin role').waitFor();
  });

  test('a developer manages sandbox endpoints, and sees live ones without their secrets', async () => {
    const { page } = developer;
    const { endpointId, liveEndpointId } = team;
    await page.goto('/sandbox/webhooks');
    expect(await offersOf(page)).toEqual(['Add endpoint']);
    await page.goto(`/sandbox/webhooks/endpoints/${endpointId}`);
    expect(await offersOf(page)).toEqual([
      'Delete',
      'Disable',
      'Edit',
      'Recover failed',
      'Replay missing',
      'Reveal',
      'Rotate',
      'Send test event',
    ]);
    await page.goto('/live/webhooks');
    expect(await offersOf(page)).toEqual([]);
    await page.goto(`/live/webhooks/endpoints/${liveEndpointId}`);
    await page.getByText('Admins and owners can reveal and rotate it.').waitFor();
    expect(await offersOf(page)).toEqual([]);
    const edit = await page.goto(`/live/webhooks/endpoints/${liveEndpointId}/edit`);
    expect(edit?.status()).toBe(403);
  });

  function visitAs(member: TestMember): Promise<Visitor> {
    return openVisitor({ dashboardUrl: platform.dashboardUrl, member });
  }

  /** Every form that requires more than the viewer role, with otherwise valid values. */
  function forbiddenForms(): [string, Record<string, string>][] {
    const { application, developer: colleague, pendingPaymentId, livePaymentId, failedDeliveryId } = team;
    const ofApplication = `/sandbox/applications/${application.id}`;
    const ofKey = `${ofApplication}/keys/${application.keyIds.sandbox}`;
    const ofEndpoint = `/sandbox/webhooks/endpoints/${team.endpointId}`;
    const endpoint = { url: 'http://127.0.0.1:2/', event_types: 'payment.created' };
    const since = '2026-01-01T00:00';
    const name = 'Hijacked';
    const scopes = 'payment:read';
    const limit = { environment: 'live', 'limits.live.requests_per_second': '1', 'limits.live.burst': '1' };
    return [
      ['/sandbox/applications/new', { name, scopes }],
      [`${ofApplication}?/rename`, { name, version: '2' }],
      [`${ofApplication}?/scopes`, { scopes, version: '2' }],
      [`${ofApplication}?/limits`, { ...limit, version: '2' }],
      [`${ofApplication}?/labels`, { labels: 'env:prod', version: '2' }],
      [`${ofApplication}?/idempotency`, { required: 'sandbox', version: '2' }],
      [`${ofApplication}?/archive`, { version: '2' }],
      [`${ofApplication}?/restore`, { version: '2' }],
      [`${ofApplication}?/delete`, { version: '2' }],
      [`${ofApplication}/keys/new`, { name, scopes_choice: 'all' }],
      [`${ofKey}/edit`, { name, scopes_choice: 'all', version: '1' }],
      [`${ofKey}?/rotate`, { overlap_s: '0' }],
      [`${ofKey}?/revoke`, {}],
      [`/sandbox/payments/${pendingPaymentId}?/simulate`, { outcome: 'succeeded' }],
      [`/live/payments/${livePaymentId}?/settle`, { outcome: 'succeeded' }],
      [`/live/payments/${livePaymentId}?/cancel`, {}],
      [`/sandbox/webhooks/deliveries/${failedDeliveryId}?/resend`, {}],
      [`/sandbox/webhooks/deliveries/${failedDeliveryId}?/cancel`, {}],
      ['/sandbox/webhooks/endpoints/new', { ...endpoint, application_id: application.id }],
      [`${ofEndpoint}/edit`, { ...endpoint, version: '2' }],
      [`${ofEndpoint}?/reveal`, {}],
      [`${ofEndpoint}?/rotate`, { overlap_s: '0' }],
      [`${ofEndpoint}?/test`, { event_type: 'payment.created' }],
      [`${ofEndpoint}?/recover`, { since }],
      [`${ofEndpoint}?/replay`, { since }],
      [`${ofEndpoint}?/disable`, { version: '2' }],
      [`${ofEndpoint}?/enable`, { version: '2' }],
      [`${ofEndpoint}?/delete`, { version: '2' }],
      ['/team?/rename', { name, version: '2' }],
      ['/team/policies?/approvalPolicy', { currency_0: 'EUR', amount_0: '1', version: '1' }],
      ['/team?/removeMember', { member_id: colleague.id }],
      ['/team/invite', { email: 'accomplice@example.com', role: 'owner' }],
      [`/team/members/${colleague.id}?/changeRole`, { role: 'owner' }],
      [`/team/members/${colleague.id}?/createResetLink`, {}],
      ['/team/tokens/new', { name, role: 'admin', environments: 'both' }],
      [`/team/tokens/${team.apiTokenId}?/revoke`, {}],
      ['/teams/new', { name, owner_email: 'accomplice@example.com' }],
    ];
  }

  async function readTeam() {
    const { call } = team.owner;
    const { id: application_id, keyIds } = team.application;
    return Promise.all([
      call(getApplication, { application_id }),
      call(listApplications, { limit: 1 }),
      call(listKeys, { application_id, limit: 100 }),
      call(getKey, { key_id: keyIds.sandbox }),
      call(getPayment, { payment_id: team.pendingPaymentId }),
      call(getPayment, { payment_id: team.livePaymentId }),
      call(getEndpoint, { endpoint_id: team.endpointId }).then(withoutHealth),
      call(listEndpoints, { limit: 1 }),
      call(listMembers, {}),
      call(listInvitations, {}),
      call(listTokens, {}),
    ]);
  }
});

/** Health is excluded: it changes on its own, because no server listens at the URL. */
function withoutHealth({ failing_since, paused_until, ...endpoint }: WebhookEndpoint) {
  return endpoint;
}

/**
 * The buttons and links that lead to a change, without those that only navigate, copy, search or verify. Sorted,
 * without duplicates.
 */
async function offersOf(page: Page): Promise<string[]> {
  const main = page.getByRole('main');
  await main.getByRole('heading').first().waitFor();
  const looks =
    /^(Copy|Columns|Export CSV|Filter|Real time|View all payments|Active|Archived|All|Try again|Go to home|Verify)/;
  const buttons = await main.getByRole('button').allInnerTexts();
  const leads = ['a[href$="/new"]', 'a[href*="/new?"]', 'a[href$="/edit"]', 'a[href$="/invite"]'];
  // Links on the team's page lead to managing the member. In the audit log every member sees them.
  if (new URL(page.url()).pathname === '/team') leads.push('a[href*="/team/members/"]');
  const links = await main.locator(leads.join(', ')).allInnerTexts();
  const fields = await main.locator('form[method="POST"] :is(input, select, textarea):visible').count();
  if (fields > 0) buttons.push(`${fields} fields`);
  return [...new Set([...buttons, ...links])].filter((text) => text !== '' && !looks.test(text)).toSorted();
}
