import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createInvitation, getMe, getTeamChat, listInvitations } from '@tollgate/contracts/accounts/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('notifications of a team', () => {
  let platform: SharedPlatform;
  /** The chat: what was posted, and the status with which it responds. */
  let chat: Server;
  let chatUrl: string;
  const posted: string[] = [];
  let status = 200;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    chat = createServer(async (request, response) => {
      posted.push(((await json(request)) as { text: string }).text);
      response.writeHead(status).end(status === 200 ? 'ok' : 'no_service');
    });
    chat.listen(0, '127.0.0.1');
    await once(chat, 'listening');
    chatUrl = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/services/T0/B0/hooked`;
  });
  afterAll(async () => {
    chat?.close();
    await platform?.leave();
  });

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'an admin sets, tests, and removes the chat webhook, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const { owner } = await platform.createTeam();
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: owner, javaScriptEnabled });
      const { page } = visitor;
      const look = async (name: string) => {
        if (javaScriptEnabled) await auditLook(visitor, name);
      };
      await page.goto('/team');
      await page.getByRole('link', { name: 'Notifications' }).click();
      await page.getByRole('heading', { name: 'Notifications' }).waitFor();
      await look('notifications-empty');
      await page.getByLabel('Webhook URL').fill(chatUrl);
      await page.getByRole('button', { name: 'Set webhook' }).click();
      await page.getByText('Webhook set.').waitFor();
      expect(await page.content()).not.toContain(chatUrl);
      await page.getByText(`${new URL(chatUrl).host}/…oked`).waitFor();
      expect(await page.getByLabel('New webhook URL').inputValue()).toBe('');
      await look('notifications-set');

      status = 200;
      await page.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByText('Test message posted.').waitFor();
      expect(posted.at(-1)).toContain('sent this test message from Tollgate');
      status = 404;
      await page.getByRole('button', { name: 'Send a test message' }).click();
      await page.getByText('The chat responded with 404 (no_service).').waitFor();
      await look('notifications-rejected');

      await page.getByLabel('Settlements').uncheck();
      await page.getByRole('button', { name: 'Save topics' }).click();
      await page.getByText('Topics saved.').waitFor();
      const { webhook } = await owner.call(getTeamChat, {});
      expect(webhook?.topics).toEqual(['webhooks', 'credentials', 'payments', 'audit']);

      await page.getByRole('button', { name: 'Remove webhook' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove webhook' }).click();
      await page.getByText('Webhook removed.').waitFor();
      expect(await owner.call(getTeamChat, {})).toEqual({ webhook: null, last_message: null });
      await visitor.close();
    },
  );

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'a member chooses which email about the team to get, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const { owner } = await platform.createTeam();
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto('/account');
      await page.getByLabel('Settlements').uncheck();
      await page.getByRole('button', { name: 'Save topics' }).click();
      await page.getByText('Topics of email about your team saved.').waitFor();
      expect(await page.getByLabel('Settlements').isChecked()).toBe(false);
      const { team_mail_topics } = await owner.call(getMe, {});
      expect(team_mail_topics).toEqual(['webhooks', 'credentials', 'payments', 'audit']);

      for (const label of ['Webhooks', 'API keys and tokens', 'Payments', 'Audit log'])
        await page.getByLabel(label, { exact: true }).uncheck();
      await page.getByRole('button', { name: 'Save topics' }).click();
      await page.getByText('Email about your team is off.').waitFor();
      expect(await owner.call(getMe, {})).toMatchObject({ team_mail_topics: [] });
      await visitor.close();
    },
  );

  test('an owner sees that the email of an invitation was sent, and sends it again', async () => {
    const { owner } = await platform.createTeam();
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner });
    const { page } = visitor;
    const email = `guest-of-${owner.email}`;
    await owner.call(createInvitation, { email, role: 'viewer' });
    await eventually('the email is sent', async () => {
      const { data } = await owner.call(listInvitations, {});
      return data[0]?.mail?.status === 'sent';
    });
    await page.goto('/team');
    await page.getByText(/^Email sent/).waitFor();
    await auditLook(visitor, 'invitation-mailed');
    await page.getByRole('button', { name: `Send again to ${email}` }).click();
    await page.getByText('The invitation is being sent again.').waitFor();
    await eventually('the second email arrives', async () => {
      return (await platform.listMails()).filter(({ to }) => to.includes(email)).length === 2;
    });
    await visitor.close();
  });
});
