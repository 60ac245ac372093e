import { getSingleSignOn, listMembers, setSingleSignOn } from '@tollgate/contracts/accounts/rpc';
import { withClaims } from '@tollgate/test-kit/identity-provider/with-claims';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  type VisitorOptions,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import {
  newDomain,
  providerOf,
  setUpSingleSignOn,
  singleSignOnSettings,
  storeVerifiedDomain,
} from '../../support/platform/single-sign-on.ts';

describeInBrowser('single sign-on', () => {
  let platform: SharedPlatform;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  afterAll(() => platform?.leave());

  const visit = (options: Partial<VisitorOptions> = {}) =>
    openVisitor({ dashboardUrl: platform.dashboardUrl, ...options });

  /** From the sign-in page to the page of the provider, and back as this person. */
  async function signInWith({ page }: Visitor, email: string, sub: string): Promise<void> {
    await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('User').fill(sub);
    await page.getByRole('button', { name: 'Sign in to the provider' }).click();
  }

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'a new member signs in with the provider and returns to the requested page, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const team = await platform.createTeam();
      const { provider, domain } = await setUpSingleSignOn(platform, team);
      const email = `ada@${domain}`;
      provider.addPerson({ sub: 'ada', email, email_verified: true, name: 'Ada' });
      const visitor = await visit({ javaScriptEnabled });
      const { page } = visitor;
      await page.goto('/account');
      if (javaScriptEnabled) await auditLook(visitor, 'sign-in-with-sso');
      await signInWith(visitor, email, 'ada');
      await page.waitForURL('**/account');
      await page.getByText('You sign in with the identity provider of your team.').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'account-with-sso');
      expect(visitor.pageErrors).toEqual([]);
      await visitor.close();
    },
  );

  test('an owner sets up single sign-on with an issuer that is tested before it is saved, and requires it', async () => {
    const team = await platform.createTeam();
    const provider = await providerOf(team);
    const owner = await visit({ member: team.owner });
    const { page } = owner;
    await page.goto('/team');
    await page.getByRole('link', { name: 'Single sign-on', exact: true }).click();
    await page.getByRole('heading', { name: 'Set up single sign-on' }).waitFor();
    await auditLook(owner, 'sso-empty');
    await page.getByLabel('Issuer').fill(`${provider.issuer}/elsewhere`);
    await page.getByLabel('Client ID').fill(provider.clientId);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByRole('button', { name: 'Save identity provider' }).click();
    await page.getByText(/No OpenID Connect provider is at this address|names another issuer/).waitFor();
    expect(await page.getByLabel('Client ID').inputValue()).toBe(provider.clientId);
    await page.getByLabel('Issuer').fill(provider.issuer);
    await page.getByLabel('Client secret').fill(provider.clientSecret);
    await page.getByRole('button', { name: 'Save identity provider' }).click();
    await page.getByText('Identity provider saved.').waitFor();
    expect(await page.getByLabel('Client secret').inputValue()).toBe('');

    await page.getByLabel('Domain', { exact: true }).fill('company.example');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByText('_tollgate.company.example').waitFor();
    await page.getByRole('button', { name: 'Verify company.example' }).click();
    await page.getByText('No DNS record of type TXT').waitFor();
    await auditLook(owner, 'sso-unverified-domain');
    const domain = newDomain();
    await storeVerifiedDomain(platform, team.id, domain);

    await page.goto('/team/single-sign-on');
    await page.getByLabel('Claim').fill('groups');
    await page.getByLabel('Value', { exact: true }).fill('ops');
    await page.getByLabel('Role', { exact: true }).selectOption('admin');
    await page.getByRole('button', { name: 'Save roles' }).click();
    await page.getByText('Roles saved.').waitFor();
    expect(await page.getByRole('switch', { name: 'Members must use single sign-on' }).isDisabled()).toBe(
      true,
    );

    const email = `grace@${domain}`;
    provider.addPerson({ sub: 'grace', email, email_verified: true, name: 'Grace', groups: ['ops'] });
    const member = await visit();
    await member.page.goto('/sign-in');
    await signInWith(member, email, 'grace');
    await member.page.waitForURL(/\/(live|sandbox)$/);
    const { data } = await team.owner.call(listMembers, {});
    expect(data.find((each) => each.email === email)).toMatchObject({ name: 'Grace', role: 'admin' });

    await page.reload();
    await page.getByRole('switch', { name: 'Members must use single sign-on' }).check();
    await page.getByRole('button', { name: 'Save requirement' }).click();
    await page.getByText('Members other than owners can now sign in with single sign-on only.').waitFor();
    await auditLook(owner, 'sso-required');
    expect(await team.owner.call(getSingleSignOn, {})).toMatchObject({ is_required: true });
    expect([...owner.pageErrors, ...member.pageErrors]).toEqual([]);
    await member.close();

    await page.getByRole('button', { name: 'Turn off single sign-on' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off single sign-on' }).click();
    await page.getByText('Single sign-on is turned off.').waitFor();
    await owner.close();
  });

  test('a member whose team requires single sign-on reads so after the correct password', async () => {
    const team = await platform.createTeam();
    const { provider, domain } = await setUpSingleSignOn(platform, team);
    provider.addPerson({ sub: 'ada', email: `ada@${domain}`, email_verified: true });
    const first = await visit();
    await first.page.goto('/sign-in');
    await signInWith(first, `ada@${domain}`, 'ada');
    await first.page.waitForURL(/\/(live|sandbox)$/);
    await first.close();
    const developer = await team.createMember('developer');
    const owner = await visit({ member: team.owner });
    await owner.page.goto('/team/single-sign-on');
    await owner.page.getByRole('switch', { name: 'Members must use single sign-on' }).check();
    await owner.page.getByRole('button', { name: 'Save requirement' }).click();
    await owner.page.getByText('Members other than owners').waitFor();
    await owner.close();

    const visitor = await visit();
    await visitor.page.goto('/sign-in');
    await visitor.page.getByLabel('Email').fill(developer.email);
    await visitor.page.getByLabel('Password', { exact: true }).fill(developer.password);
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await visitor.page.getByText('Your team requires single sign-on.').waitFor();
    await auditLook(visitor, 'sign-in-requires-sso');
    await visitor.close();
  });

  test('the requirement that an owner has not saved stays chosen when another form is saved', async () => {
    const team = await platform.createTeam();
    const { provider, domain } = await setUpSingleSignOn(platform, team);
    provider.addPerson({ sub: 'ada', email: `ada@${domain}`, email_verified: true });
    const first = await visit();
    await first.page.goto('/sign-in');
    await signInWith(first, `ada@${domain}`, 'ada');
    await first.page.waitForURL(/\/(live|sandbox)$/);
    await first.close();
    const owner = await visit({ member: team.owner });
    const { page } = owner;
    await page.goto('/team/single-sign-on');
    await waitForScripts(page);
    const required = page.getByRole('switch', { name: 'Members must use single sign-on' });
    await required.check();
    await page.getByLabel('Domain').fill(`other.${domain}`);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByRole('button', { name: `Verify other.${domain}` }).waitFor();
    expect(await required.isChecked()).toBe(true);
    await owner.close();
  });

  /** A team whose new members become admins, with an application, and a browser in which ada has signed in. */
  async function openAdmin() {
    const team = await platform.createTeam();
    const application = await platform.createApplication(team);
    const { provider, domain } = await setUpSingleSignOn(platform, team);
    await team.owner.call(setSingleSignOn, { ...singleSignOnSettings(provider), default_role: 'admin' });
    const email = `ada@${domain}`;
    provider.addPerson({ sub: 'ada', email, email_verified: true, name: 'Ada' });
    const visitor = await visit();
    await visitor.page.goto(`/live/applications/${application.id}/keys/new`);
    await signInWith(visitor, email, 'ada');
    await visitor.page.waitForURL('**/keys/new');
    return { visitor, provider, email };
  }

  async function submitNewKey({ page }: Visitor): Promise<void> {
    await page.getByRole('textbox', { name: 'Name' }).fill('Production server');
    await page.getByRole('button', { name: 'Create API key' }).click();
  }

  test('a member confirms their identity at the provider, which asks again, and returns to the page', async () => {
    const { visitor, email } = await openAdmin();
    const { page } = visitor;
    await waitForScripts(page);
    await submitNewKey(visitor);
    const dialog = page.getByRole('dialog', { name: 'Confirm your identity' });
    await dialog.waitFor();
    await auditLook(visitor, 'confirm-identity-sso');
    await dialog.getByRole('link', { name: 'Sign in with single sign-on' }).click();
    await page.getByRole('heading', { name: 'Confirm your identity' }).waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await auditLook(visitor, 'sso-confirmation');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('User').fill('ada');
    await page.getByRole('button', { name: 'Sign in to the provider' }).click();
    await page.waitForURL('**/keys/new');
    await waitForScripts(page);
    await submitNewKey(visitor);
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    expect(visitor.pageErrors).toEqual([]);
    await visitor.close();
  });

  test('a provider that does not say when the member signed in confirms nothing, and the member stays signed in', async () => {
    const { visitor, provider } = await openAdmin();
    const { page } = visitor;
    provider.rewriteIdTokens(withClaims({ auth_time: undefined }));
    await page.goto('/sso?reauthenticate=true&next=/account');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('User').fill('ada');
    await page.getByRole('button', { name: 'Sign in to the provider' }).click();
    await page.getByRole('heading', { name: 'Your identity is not confirmed' }).waitFor();
    await page.getByText('configure it to return the claim auth_time').waitFor();
    await auditLook(visitor, 'sso-not-confirmed');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL('**/account');
    await visitor.close();
  });

  test('a failed sign-in says why, and what to do', async () => {
    const team = await platform.createTeam();
    const { provider, domain } = await setUpSingleSignOn(platform, team);
    provider.addPerson({ sub: 'ada', email: `ada@${domain}`, email_verified: false });
    const visitor = await visit();
    const { page } = visitor;
    await page.goto('/sso');
    await page.getByLabel('Email').fill('ada@unknown.example');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('No team uses single sign-on for this email.').waitFor();
    await auditLook(visitor, 'sso-unknown-domain');
    await page.goto('/sign-in');
    await signInWith(visitor, `ada@${domain}`, 'ada');
    await page.getByText('The identity provider does not confirm your email address.').waitFor();
    await auditLook(visitor, 'sso-failed');
    await page.getByRole('link', { name: 'Start again' }).click();
    await page.waitForURL('**/sso');
    await visitor.close();
  });
});
