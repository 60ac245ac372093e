import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listApplications } from '@tollgate/contracts/applications/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

describeInBrowser('cross-site protection', () => {
  let platform: SharedPlatform;
  let owner: TestMember;
  let visitor: Visitor;
  let attacker: Server;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    owner = (await platform.createTeam()).owner;
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner });
    attacker = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(`<!doctype html>
        <form method="post" action="${platform.dashboardUrl}/sandbox/applications/new">
          <input name="name" value="Hijacked" /><input name="scopes" value="payment:create" /><button>Win a prize</button>
        </form>
        <iframe src="${platform.dashboardUrl}/sandbox"></iframe>`);
    });
    await once(attacker.listen(0), 'listening');
  });
  afterAll(async () => {
    attacker?.close();
    await platform?.leave();
  });

  // Same site as the dashboard, because browsers ignore the port: they send the cookies, and only the origin differs.
  test.for(['localhost', '127.0.0.1'])('a form at %s cannot post to the dashboard', async (host) => {
    const { page } = visitor;
    await page.goto(`http://${host}:${(attacker.address() as AddressInfo).port}`);
    const [response] = await Promise.all([
      page.waitForResponse((candidate) => candidate.request().method() === 'POST'),
      page.getByRole('button', { name: 'Win a prize' }).click(),
    ]);

    expect(response.status()).toBe(403);
    expect((await owner.call(listApplications, { limit: 1 })).data).toEqual([]);
  });

  test('another site cannot show the dashboard in a frame', async () => {
    const { page } = visitor;
    await page.goto(`http://localhost:${(attacker.address() as AddressInfo).port}`);
    const frame = page.frameLocator('iframe');
    await expect.poll(() => page.frames().at(-1)?.url()).toContain('chrome-error:');
    expect(await frame.getByRole('heading', { name: 'Home' }).count()).toBe(0);
  });

  test('scripts cannot read the session cookie, and other sites do not send it', async () => {
    const { page, context } = visitor;
    await page.goto('/sandbox');
    const session = (await context.cookies()).find(({ name }) => name.includes('session'));
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(await page.evaluate('document.cookie')).not.toContain('session');
    expect(await page.content()).not.toContain(owner.session);
  });
});
