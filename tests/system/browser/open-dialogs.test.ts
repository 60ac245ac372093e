import { createToken, setTeamChat } from '@tollgate/contracts/accounts/rpc';
import { archiveApplication, createApplication } from '@tollgate/contracts/applications/rpc';
import { createEndpoint } from '@tollgate/contracts/webhooks/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  holdScripts,
  openVisitor,
  PHONE,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestMember, TestTeam } from '../../support/platform/test-team.ts';
import { totpCode } from '../../support/platform/totp.ts';

interface World {
  application: TestApplication;
  archivedId: string;
  colleague: TestMember;
  pending: string;
  livePending: string;
  endpointId: string;
  apiTokenId: string;
}

const pageOf = {
  application: ({ application }: World) => `/sandbox/applications/${application.id}`,
  archived: ({ archivedId }: World) => `/sandbox/applications/${archivedId}`,
  sandboxKey: ({ application }: World) =>
    `/sandbox/applications/${application.id}/keys/${application.keyIds.sandbox}`,
  liveKey: ({ application }: World) => `/live/applications/${application.id}/keys/${application.keyIds.live}`,
  payment: ({ pending }: World) => `/sandbox/payments/${pending}`,
  livePayment: ({ livePending }: World) => `/live/payments/${livePending}`,
  endpoint: ({ endpointId }: World) => `/sandbox/webhooks/endpoints/${endpointId}`,
  verification: () => '/audit/verification',
  sessions: () => '/account/sessions',
  member: ({ colleague }: World) => `/team/members/${colleague.id}`,
  token: ({ apiTokenId }: World) => `/team/tokens/${apiTokenId}`,
  notifications: () => '/team/notifications',
  sandbox: () => '/team/sandbox',
};

/** Every dialog with its page and the button that opens it. */
const DIALOGS: [string, (world: World) => string, string][] = [
  ['rename-application', pageOf.application, 'Rename'],
  ['edit-labels', pageOf.application, 'Edit labels'],
  ['archive-application', pageOf.application, 'Archive'],
  ['delete-application', pageOf.archived, 'Delete'],
  ['rotate-key', pageOf.sandboxKey, 'Rotate'],
  ['revoke-key', pageOf.sandboxKey, 'Revoke'],
  ['revoke-live-key', pageOf.liveKey, 'Revoke'],
  ['simulate-failure', pageOf.payment, 'Simulate failure'],
  ['settle-succeeded', pageOf.livePayment, 'Mark as succeeded'],
  ['settle-failed', pageOf.livePayment, 'Mark as failed'],
  ['send-test-event', pageOf.endpoint, 'Send test event'],
  ['rotate-webhook-secret', pageOf.endpoint, 'Rotate'],
  ['recover-endpoint', pageOf.endpoint, 'Recover failed'],
  ['replay-missing', pageOf.endpoint, 'Replay missing'],
  ['disable-endpoint', pageOf.endpoint, 'Disable'],
  ['delete-endpoint', pageOf.endpoint, 'Delete'],
  ['export-audit', pageOf.verification, 'Export records'],
  ['sign-out-everywhere', pageOf.sessions, 'Sign out everywhere'],
  ['remove-member', pageOf.member, 'Remove member'],
  ['revoke-token', pageOf.token, 'Revoke'],
  ['remove-webhook', pageOf.notifications, 'Remove webhook'],
  ['reset-sandbox', pageOf.sandbox, 'Reset sandbox'],
];

describeInBrowser('dialogs and menus', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let visitor: Visitor;
  let page: Page;
  let world: World;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    const application = await platform.createApplication(team);
    const { id: archivedId } = await team.owner.call(createApplication, { name: 'Archived', scopes: [] });
    await team.owner.call(archiveApplication, { application_id: archivedId });
    const onHold = { amount: 123_456, currency: 'EUR', reference: 'order-1', payment_method: 'pm_hold' };
    const { live, sandbox } = platform.baseUrl;
    const { id: endpointId } = await team.owner.call(createEndpoint, {
      application_id: application.id,
      environment: 'sandbox',
      url: 'http://127.0.0.1:1/hooks',
      event_types: ['payment.created'],
    });
    const [colleague, pending, livePending] = await Promise.all([
      team.createMember('developer'),
      apiCaller(sandbox, application.keys.sandbox).createPayment(onHold),
      apiCaller(live, application.keys.live).createPayment(onHold),
    ]);
    const { id: apiTokenId } = await team.owner.call(createToken, { name: 'Terraform', role: 'admin' });
    await team.owner.call(setTeamChat, { url: 'http://127.0.0.1:1/hooks' });
    world = { application, archivedId, colleague, pending, livePending, endpointId, apiTokenId };
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterAll(() => platform?.leave());

  test.for(DIALOGS)(
    '%s opens with Enter, offers Cancel before its action, and closes with Escape',
    async ([name, addressIn, button]) => {
      await page.goto(addressIn(world));
      const opener = page.getByRole('main').getByRole('button', { name: button, exact: true }).first();
      await opener.press('Enter');
      await page.getByRole('dialog').waitFor();
      await auditLook(visitor, `dialog-${name}`);
      const buttons = await page.getByRole('dialog').getByRole('button').allTextContents();
      expect(buttons.at(-2)).toBe('Cancel');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe(button);
    },
  );

  test('the payment drawer meets the page requirements', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await page.getByRole('row').filter({ hasText: 'order-1' }).click();
    await page.getByRole('dialog', { name: '1,234.56 EUR' }).waitFor();
    await auditLook(visitor, 'drawer-payment');
  });

  test('the command palette meets the page requirements', async () => {
    await page.goto('/sandbox/payments');
    await page.getByText('Real time').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('option', { name: 'Test', exact: true }).waitFor();
    await auditLook(visitor, 'palette');
  });

  test('the phone menu, opened before the scripts run, stays open, and meets the page requirements', async () => {
    await page.setViewportSize(PHONE);
    const releaseScripts = await holdScripts(page);
    await page.goto('/sandbox', { waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Menu' }).click();
    releaseScripts();
    await waitForScripts(page);
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Applications' }).waitFor();
    await auditLook(visitor, 'menu');
    await page.setViewportSize(PHONE);
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.waitForURL('**/sandbox/applications');
    await page.getByRole('link', { name: 'Your account' }).waitFor({ state: 'hidden' });
  });

  test('a new secret, a new link, and the two-factor setup meet the page requirements', async () => {
    await page.goto(`${pageOf.application(world)}/keys/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Server');
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByText('This key is shown only once').waitFor();
    await auditLook(visitor, 'new-secret');

    await page.goto('/team/tokens/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Deployment');
    await page.getByRole('button', { name: 'Create API token' }).click();
    await page.getByText('This token is shown only once').waitFor();
    await auditLook(visitor, 'new-token');

    await page.goto('/team/invite');
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('region', { name: 'invitation link' }).waitFor();
    await auditLook(visitor, 'new-invitation');

    await page.goto('/account/second-factor');
    await page.getByLabel('Current password').fill(team.owner.password);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = String(await page.getByTestId('totp-secret').textContent()).replaceAll(' ', '');
    await auditLook(visitor, 'second-factor-enrolment');
    await page.getByLabel('Six-digit code').fill(totpCode(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await auditLook(visitor, 'recovery-codes');
  });
});
