import { afterAll, beforeAll, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, signIn } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

describeInBrowser('the email of an account', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the email of an account is changed with the password, and signs in from then on, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const { owner } = await platform.createTeam();
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: owner, javaScriptEnabled });
      const { page } = visitor;
      await page.goto('/account');
      await page.getByRole('link', { name: 'Change email' }).click();
      const email = `new-${owner.email}`;
      const change = async (password: string) => {
        await page.getByLabel('New email').fill(email);
        await page.getByLabel('Current password').fill(password);
        await page.getByRole('button', { name: 'Change email' }).click();
      };
      await change('not the password');
      await page.getByText('This is not your current password.').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'email-rejected');
      await change(owner.password);
      await page.getByText(`Email changed. From now on, sign in with ${email}.`).waitFor();
      await page.getByText(`You sign in with ${email}.`).waitFor();
      await visitor.close();

      const again = await openVisitor({ dashboardUrl, javaScriptEnabled });
      await signIn(again.page, { email, password: owner.password });
      await again.close();
    },
  );
});
