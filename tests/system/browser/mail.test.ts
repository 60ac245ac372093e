import type { ReceivedMail } from '@tollgate/local-servers/mail-inbox/received-mail';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, signIn } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const NEW_PASSWORD = 'a new and correct password';

describeInBrowser('with a mail server', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  /** The number of the newest mail to the address. */
  async function mailTo(email: string, subject: RegExp): Promise<number> {
    let found: ReceivedMail | undefined;
    await eventually(`a mail with ${subject} arrives`, async () => {
      const mails = await platform.listMails();
      found = mails.find((mail) => mail.to.includes(email) && subject.test(mail.subject));
      return found !== undefined;
    });
    return found?.number ?? 0;
  }

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'a member who forgot the password sets a new one by mail, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const { owner } = await platform.createTeam();
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, javaScriptEnabled });
      const { page } = visitor;
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'reset-request');
      await page.getByLabel('Email').fill(owner.email);
      await page.getByRole('button', { name: 'Send reset link' }).click();
      await page.getByRole('heading', { name: 'Check your email' }).waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'reset-requested');
      const mail = await mailTo(owner.email, /^Reset your Tollgate password$/);

      // The person opened the URL that the terminal shows, in another tab.
      await (await visitor.context.newPage()).goto(platform.inboxUrl);
      await page.getByRole('link', { name: 'Open the development inbox' }).click();
      if (javaScriptEnabled) await auditLook(visitor, 'development-inbox');
      await page.locator(`a[href="/mails/${mail}"]`).click();
      if (javaScriptEnabled) await auditLook(visitor, 'development-inbox-mail');
      await page.locator('pre').getByRole('link').click();
      await page.getByLabel('New password').fill(NEW_PASSWORD);
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Password changed. Sign in with your new password.').waitFor();
      await signIn(page, { email: owner.email, password: NEW_PASSWORD });
      await mailTo(owner.email, /^Your Tollgate password was reset$/);
      await visitor.close();
    },
  );

  test('an email without an account gets the same page', async () => {
    const { page, close } = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    await page.goto('/reset');
    await page.getByLabel('Email').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.getByText('If nobody@example.com belongs to an account').waitFor();
    await close();
  });

  test('an invited person joins with the button of the mail', async () => {
    const { owner } = await platform.createTeam();
    const { dashboardUrl } = platform;
    const visitor = await openVisitor({ dashboardUrl, member: owner });
    const email = `guest-of-${owner.email}`;
    await visitor.page.goto('/team/invite');
    await auditLook(visitor, 'invite-by-mail');
    await visitor.page.getByLabel('Email').fill(email);
    await visitor.page.getByRole('button', { name: 'Send invitation' }).click();
    await visitor.page.getByText('The new member gets this link by email.').waitFor();
    const number = await mailTo(email, /^Join .+ on Tollgate$/);
    await visitor.page.goto(platform.inboxUrl.replace('?', `mails/${number}?`));
    const opened = visitor.context.waitForEvent('page');
    await visitor.page.frameLocator('iframe').getByRole('link', { name: 'Accept the invitation' }).click();
    const guest = await opened;
    await guest.getByLabel('Email').waitFor();
    expect(await guest.getByLabel('Email').inputValue()).toBe(email);
    await visitor.close();
  });
});
