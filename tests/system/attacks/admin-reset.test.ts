import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { type Platform, startPlatform } from '../../support/platform/platform.ts';
import type { TestMember } from '../../support/platform/test-team.ts';
import { lockOut } from './lock-out.ts';

/** Another owner of the installation admin's team. */
let attacker: TestMember;
let platform: Platform;

beforeAll(async () => {
  platform = await startPlatform({ dashboard: true });
  attacker = await platform.createMember('owner');
});
afterAll(() => platform?.stop());

/** Tries to get a link with which the attacker could set the password of the installation admin. */
function resetAdmin(setupToken?: string) {
  return platform.admin.as(attacker.session).call(ADMIN_ROUTES.createResetLink, {
    member_id: platform.owner.id,
    ...(setupToken !== undefined && { setup_token: setupToken }),
  });
}

it('an owner cannot reset the password of the installation admin without the setup token', async () => {
  expect((await resetAdmin()).problem).toMatchObject({ status: 403, code: 'forbidden' });
  expect((await resetAdmin('a guess')).problem).toMatchObject({ status: 403, code: 'forbidden' });
});

it('a reset link of another member needs no setup token', async () => {
  const { id } = await platform.createMember('viewer');
  // As before there was a setup token to send: without a body.
  const created = await platform.admin
    .as(attacker.session)
    .call(ADMIN_ROUTES.createResetLink, { member_id: id });
  expect(created.status).toBe(201);
});

describeInBrowser('the page of the installation admin', () => {
  let page: Page;

  beforeAll(async () => {
    ({ page } = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: attacker }));
  });

  it('the page of the installation admin asks an owner for the setup token, and creates a link only with it', async () => {
    await page.goto(`/team/members/${platform.owner.id}`);
    const form = page.getByRole('form', { name: 'Password' });
    await form.getByLabel('Setup token').fill('a wrong token');
    await form.getByRole('button', { name: 'Create reset link' }).click();
    await form.getByText('The setup token does not match').waitFor();
    await form.getByLabel('Setup token').fill(platform.setupToken);
    await form.getByRole('button', { name: 'Create reset link' }).click();
    await page.getByText('Reset link created').waitFor();
    expect(await page.content()).not.toContain(platform.setupToken);
  });
});

it('the reset page guesses of the setup token are throttled', async () => {
  expect(await lockOut(() => resetAdmin('a guess'), 'forbidden')).toBeLessThan(11);
  expect((await resetAdmin(platform.setupToken)).problem).toMatchObject({ code: 'too-many-attempts' });
}, 30_000);
