import { renameApplication } from '@tollgate/contracts/applications/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import {
  ofApplication,
  REJECTED_FORMS,
  type RejectedForm,
  type World,
} from '../../support/browser/rejected-forms.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { setUpSingleSignOn } from '../../support/platform/single-sign-on.ts';

const SECRET = /password|secret|totp/;

describeInBrowser(
  'a rejected form shows errors beside its fields, focuses the first one, and keeps the values, except secrets',
  () => {
    let platform: SharedPlatform;
    let world: World;

    beforeAll(async () => {
      platform = await joinSharedPlatform();
      const team = await platform.createTeam();
      const application = await platform.createApplication(team);
      const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
      const paymentId = await api.createPayment({ amount: 1, currency: 'EUR', payment_method: 'pm_hold' });
      await setUpSingleSignOn(platform, team);
      world = {
        owner: team.owner,
        admin: await team.createMember('admin'),
        viewer: await team.createMember('viewer'),
        application,
        paymentId,
      };
    });
    afterAll(() => platform?.leave());

    describe.each([
      { scripts: 'with JavaScript', javaScriptEnabled: true },
      { scripts: 'without JavaScript', javaScriptEnabled: false },
    ])('$scripts', ({ scripts, javaScriptEnabled }) => {
      let visitors: Record<'nobody' | 'owner' | 'admin' | 'installationAdmin', Visitor>;

      beforeAll(async () => {
        const options = { dashboardUrl: platform.dashboardUrl, javaScriptEnabled };
        visitors = {
          nobody: await openVisitor(options),
          owner: await openVisitor({ ...options, member: world.owner }),
          admin: await openVisitor({ ...options, member: world.admin }),
          installationAdmin: await openVisitor({ ...options, member: platform.installationAdmin }),
        };
      });
      afterAll(() => Promise.all(Object.values(visitors).map((visitor) => visitor.close())));

      test.for(Object.entries(REJECTED_FORMS))('%s', async ([, form]) => {
        const { page, pageErrors } = visitors[form.who ?? 'owner'];
        // A second visit of the same address would be a reload, which keeps what was typed.
        await page.goto('about:blank');
        await page.goto(await form.path(world));
        if (javaScriptEnabled) await waitForScripts(page);
        await send(page, form);

        for (const [name, message] of Object.entries(form.errors)) {
          await expect.poll(() => errorBeside(page, name)).toMatch(message);
        }
        if (form.submit !== null) {
          const rejected = Object.keys(form.errors);
          await expect.poll(() => focusedField(page)).toBe(await firstOnPage(page, rejected));
        }
        for (const [name, typed] of Object.entries(form.fill)) {
          if (SECRET.test(name)) expect(await page.content()).not.toContain(typed);
          else expect((await field(page, name).inputValue()).trim()).toBe(typed.trim());
        }
        expect(pageErrors).toEqual([]);
      });

      test('a failed sign-in does not reveal whether the account exists', async () => {
        const { page } = visitors.nobody;
        const responses: (string | null)[] = [];
        for (const email of [world.owner.email, 'nobody@example.com']) {
          await page.goto('/sign-in');
          await send(page, { fill: { email, password: 'a wrong password' }, submit: 'Sign in' });
          responses.push(await page.getByRole('alert').textContent());
          expect(await field(page, 'email').inputValue()).toBe(email);
          expect(await page.content()).not.toContain('a wrong password');
        }
        expect(responses[0]).toContain('Incorrect email or password');
        expect(responses[1]).toBe(responses[0]);
      });

      test('a form does not overwrite changes of another member', async () => {
        const { page } = visitors.owner;
        await page.goto(ofApplication(world));
        const theirs = `Renamed ${scripts}`;
        await world.owner.call(renameApplication, { application_id: world.application.id, name: theirs });
        await send(page, { opens: 'Rename', fill: { name: 'Mine' }, submit: 'Rename application' });

        await page.getByText('This was changed after you opened the page.').first().waitFor();
        expect(await field(page, 'name').inputValue()).toBe('Mine');
        await page.goto(ofApplication(world));
        await page.getByRole('heading', { name: theirs, exact: true }).waitFor();
      });
    });
  },
);

/** Skips the browser's own validation, as another client could. */
async function send(page: Page, { opens, fill, submit }: Pick<RejectedForm, 'opens' | 'fill' | 'submit'>) {
  if (opens !== undefined) await page.getByRole('button', { name: opens, exact: true }).click();
  await page.evaluate('for (const form of document.forms) form.noValidate = true');
  for (const [name, value] of Object.entries(fill)) {
    if (name === 'failure') await field(page, name).selectOption(value);
    else await field(page, name).fill(value);
  }
  if (submit === null) return page.keyboard.press('Enter');
  const within = opens === undefined ? page.getByRole('main') : page.getByRole('dialog');
  await within.getByRole('button', { name: submit, exact: true }).click();
}

function field(page: Page, name: string) {
  return page.locator(`[name="${name}"]:visible`);
}

/** The name of the field with the focus. */
function focusedField(page: Page): Promise<string | null> {
  return page.evaluate<string | null>('document.activeElement.getAttribute("name")');
}

/** The first of these fields, in the order of the page. */
async function firstOnPage(page: Page, names: string[]): Promise<string | undefined> {
  const selector = names.map((name) => `[name="${name}"]`).join();
  return (await page.locator(`:is(${selector}):visible`).first().getAttribute('name')) ?? undefined;
}

async function errorBeside(page: Page, name: string): Promise<string | null> {
  const described = await field(page, name).getAttribute('aria-describedby');
  const id = described?.split(' ').find((part) => part.endsWith('-error'));
  return id === undefined ? '' : page.locator(`#${id}`).textContent();
}
