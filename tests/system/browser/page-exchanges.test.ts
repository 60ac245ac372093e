import { randomUUID } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { issueActorToken } from '@tollgate/contracts/accounts/rpc';
import { rpcSubject } from '@tollgate/contracts/platform/rpc-contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';

describeInBrowser('exchanges of a session for an actor token', () => {
  const userAgent = `Mozilla/5.0 (${randomUUID()})`;
  let platform: SharedPlatform;
  let application: TestApplication;
  let visitor: Visitor;
  let observer: Bus;
  let exchanges: number;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const team = await platform.createTeam();
    application = await platform.createApplication(team);
    const { dashboardUrl, natsUrl } = platform;
    // The action and the page after it are one request of this browser.
    visitor = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled: false });
    await visitor.page.setExtraHTTPHeaders({ 'user-agent': userAgent });
    observer = await connectBus({ url: natsUrl, name: 'observer' });
    observer.nats.subscribe(rpcSubject(issueActorToken), {
      callback(_error, message) {
        if (message.json<{ user_agent: string | null }>().user_agent === userAgent) exchanges += 1;
      },
    });
    await observer.nats.flush();
  });
  beforeEach(() => {
    exchanges = 0;
  });
  afterAll(async () => {
    await observer?.close();
    await platform?.leave();
  });

  test.each(['/sandbox', '/sandbox/payments', '/team', '/account'])(
    'the page %s costs one exchange',
    async (path) => {
      await visitor.page.goto(path);
      await observer.nats.flush();
      expect(exchanges).toBe(1);
    },
  );

  test('an action costs one exchange, and the page after it another', async () => {
    const { page } = visitor;
    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rename application' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await observer.nats.flush();
    exchanges = 0;
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Shop', exact: true }).waitFor();
    await observer.nats.flush();
    expect(exchanges).toBe(2);
  });
});
