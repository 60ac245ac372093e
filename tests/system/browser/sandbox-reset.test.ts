import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the sandbox of a team', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the sandbox of a team is reset after the name of the team is typed, by keyboard, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const { dashboardUrl, baseUrl, admin } = platform;
      const team = await platform.createTeam();
      const application = await platform.createApplication(team);
      await apiCaller(baseUrl.sandbox, application.keys.sandbox).createPayment({
        amount: 1_999,
        currency: 'EUR',
      });
      const owner = admin.as(team.owner.session);
      const { name } = (await owner.call(ADMIN_ROUTES.getMe, {})).body.team;
      const visitor = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto('/team');
      await page.getByRole('link', { name: 'Sandbox', exact: true }).last().click();
      await page.getByRole('heading', { name: 'Reset sandbox' }).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'sandbox-before-reset');

      await page.getByRole('button', { name: 'Reset sandbox' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: `Delete all test data of ${name}?` });
      const field = dialog.getByLabel('Name of your team');
      await field.fill('Another team');
      await field.press('Enter');
      await dialog.getByText(`Type the name of your team: ${name}`).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'sandbox-reset-rejected');
      expect((await owner.call(ADMIN_ROUTES.getSandboxReset, {})).status).toBe(404);

      await field.fill(name);
      await field.press('Enter');
      await page.getByText('Sandbox reset', { exact: true }).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'sandbox-after-reset');
      await page.goto('/sandbox/payments');
      await page.getByRole('heading', { name: 'Payments' }).first().waitFor();
      expect(await page.getByText('19.99').count()).toBe(0);
      expect((await owner.call(ADMIN_ROUTES.listPayments, {})).body.data).toEqual([]);
      await visitor.close();
    },
  );
});
