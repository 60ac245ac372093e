import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  describeInBrowser,
  holdScripts,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';

const COOKIE = 'time_zone';
const TIMES = 'main time';
const VISIBILITY = 'getComputedStyle(document.querySelector("main time")).visibility';

describeInBrowser('times in the time zone of the browser', () => {
  let platform: SharedPlatform;
  let owner: TestMember;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    ({ owner } = await platform.createTeam());
  });
  afterAll(() => platform?.leave());

  const open = (javaScriptEnabled: boolean) =>
    openVisitor({ dashboardUrl: platform.dashboardUrl, member: owner, javaScriptEnabled });

  test('times in the time zone of the browser are known since the sign-in page', async () => {
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    await visitor.page.goto('/sign-in');
    await waitForScripts(visitor.page);
    expect(await timeZoneOf(visitor)).toBe('Europe%2FBerlin');
  });

  test('times in the time zone of the browser replace those in UTC without discarding why a form was rejected', async () => {
    const { page, pageErrors } = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    const releaseScripts = await holdScripts(page);
    await page.goto('/sign-in', { waitUntil: 'commit' });
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill('a wrong password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    releaseScripts();
    await waitForScripts(page);
    expect(await page.getByRole('alert').textContent()).toContain('Incorrect email or password.');
    expect(await page.getByLabel('Email').inputValue()).toBe(owner.email);
    expect(pageErrors).toEqual([]);
  });

  test('times in the time zone of the browser are hidden until the zone is known, and then shown', async () => {
    const visitor = await open(true);
    const { page, context } = visitor;
    await context.clearCookies({ name: COOKIE });
    const releaseScripts = await holdScripts(page);
    await page.goto('/account/sessions', { waitUntil: 'commit' });
    await page.locator(TIMES).first().waitFor({ state: 'attached' });
    // The style sheet can arrive after them.
    await page.locator(TIMES).first().waitFor({ state: 'hidden' });
    expect(await page.evaluate(VISIBILITY)).toBe('hidden');
    releaseScripts();
    await page.locator(TIMES).first().waitFor({ state: 'visible' });
    expect(await timeZoneOf(visitor)).toBe('Europe%2FBerlin');
  });

  test('times in the time zone of the browser are shown in UTC without JavaScript', async () => {
    const { page } = await open(false);
    await page.goto('/account/sessions');
    expect(await page.locator(TIMES).first().isVisible()).toBe(true);
  });

  async function timeZoneOf({ context }: Visitor): Promise<string | undefined> {
    return (await context.cookies()).find(({ name }) => name === COOKIE)?.value;
  }
});
