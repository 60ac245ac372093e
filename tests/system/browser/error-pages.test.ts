import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('error pages of the dashboard', () => {
  let platform: SharedPlatform;
  let owner: Visitor;
  let guest: Visitor;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    const { dashboardUrl } = platform;
    const team = await platform.createTeam();
    owner = await openVisitor({ dashboardUrl, member: team.owner });
    guest = await openVisitor({ dashboardUrl });
  });
  afterAll(() => platform?.leave());

  test.for(['/nowhere', '/sandbox/nowhere', '/team/nowhere/deeper', '/sandbox/payments/pay_nothing'])(
    'error pages of the dashboard keep the navigation, and lead to the docs, on %s',
    async (path) => {
      const { page } = owner;
      expect((await page.goto(path))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payments' }).waitFor();
      const docs = page.getByRole('main').getByRole('link', { name: /Read the docs|Learn about this error/ });
      expect(await docs.getAttribute('href')).toContain(platform.docsBaseUrl);
      await auditLook(owner, `error${path.replaceAll('/', '-')}`);
    },
  );

  test('error pages of the dashboard say that a path does not exist to a visitor who is not signed in', async () => {
    const { page } = guest;
    expect((await page.goto('/nowhere'))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Read the docs' }).waitFor();
  });

  test.for(['/reset/bogus', '/join/bogus'])(
    'error pages of the dashboard say that the link %s is invalid',
    async (path) => {
      const { page } = guest;
      expect((await page.goto(path))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
      await page.getByText('Ask an owner').waitFor();
      expect(await page.getByLabel('New password').count()).toBe(0);
      await auditLook(guest, `error${path.replaceAll('/', '-')}`);
    },
  );
});
