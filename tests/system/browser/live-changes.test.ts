import { getApplication } from '@tollgate/contracts/applications/rpc';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import {
  describeInBrowser,
  openVisitor,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

const SCRIPTS = [
  ['with', true],
  ['without', false],
] as const;

describeInBrowser('changes of an application that affect live', () => {
  let platform: SharedPlatform;
  let team: TestTeam;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
  });
  afterAll(() => platform?.leave());

  test.each(SCRIPTS)(
    'changes of an application that affect live store scopes only after a confirmation of the impact, also in the sandbox, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const application = await platform.createApplication(team);
      const visitor = await visit(javaScriptEnabled);
      const { page } = visitor;
      await page.goto(`/sandbox/applications/${application.id}`);
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByRole('switch', { name: 'Cancel payments' }).uncheck();
      await page.getByRole('button', { name: 'Save scopes' }).click();
      await impactOf(page).getByText('1 live key', { exact: true }).waitFor();
      await impactOf(page).getByText('Removes: cancel payments').waitFor();
      await impactOf(page)
        .getByText(/live requests|requests?\/min/)
        .waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'live-scopes-unconfirmed');
      expect(await scopesOf(application)).toContain('payment:cancel');

      await page.getByRole('button', { name: 'Save scopes' }).click();
      await page.getByText('Scopes saved.').waitFor();
      expect(await scopesOf(application)).toEqual(['payment:create', 'payment:read']);
      await visitor.close();
    },
  );

  test.each(SCRIPTS)(
    'changes of an application that affect live store the live limit only after a confirmation, and the sandbox limit without one, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const application = await platform.createApplication(team);
      const visitor = await visit(javaScriptEnabled);
      const { page } = visitor;
      await page.goto(`/live/applications/${application.id}`);
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByRole('region', { name: 'Sandbox' }).getByLabel('Burst').fill('77');
      await page.getByRole('button', { name: 'Save sandbox limit' }).click();
      await page.getByText('Limit saved.').waitFor();

      await page.getByRole('region', { name: 'Live' }).getByLabel('Requests per second').fill('5');
      await page.getByRole('button', { name: 'Save live limit' }).click();
      await impactOf(page).getByText('to 5 requests/s').waitFor();
      if (javaScriptEnabled) await auditLook(visitor, 'live-limit-unconfirmed');
      expect(await limitsOf(application)).toMatchObject({
        live: { requests_per_second: 100_000 },
        sandbox: { requests_per_second: 100_000, burst: 77 },
      });

      await page.getByRole('button', { name: 'Save live limit' }).click();
      await page.getByText('Limit saved.').waitFor();
      expect(await limitsOf(application)).toMatchObject({
        live: { requests_per_second: 5, burst: 200_000 },
        sandbox: { requests_per_second: 100_000, burst: 77 },
      });
      await visitor.close();
    },
  );

  test.each(SCRIPTS)(
    'changes of an application that affect live need another confirmation for other values, and none after a cancellation, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const application = await platform.createApplication(team);
      const visitor = await visit(javaScriptEnabled);
      const { page } = visitor;
      await page.goto(`/live/applications/${application.id}`);
      if (javaScriptEnabled) await waitForScripts(page);
      await page.getByRole('switch', { name: 'Cancel payments' }).uncheck();
      await page.getByRole('button', { name: 'Save scopes' }).click();
      await impactOf(page).getByText('Removes: cancel payments').waitFor();
      await page.getByRole('switch', { name: 'Read payments' }).uncheck();
      await page.getByRole('button', { name: 'Save scopes' }).click();
      await impactOf(page).getByText('Removes: read payments, cancel payments').waitFor();

      await impactOf(page).getByRole('link', { name: 'Cancel' }).click();
      await impactOf(page).waitFor({ state: 'detached' });
      expect(await page.getByRole('switch', { name: 'Read payments' }).isChecked()).toBe(true);
      await page.getByRole('button', { name: 'Save scopes' }).click();
      await page.getByText('Scopes saved.').waitFor();
      expect((await scopesOf(application)).length).toBe(3);
      await visitor.close();
    },
  );

  test('changes of an application that affect live are not stored for a form that claims another confirmation', async () => {
    const application = await platform.createApplication(team);
    const visitor = await visit(true);
    const { version } = await team.owner.call(getApplication, { application_id: application.id });
    for (const confirmed of ['', 'true', `${version}: `]) {
      const response = await visitor.context.request.post(`/sandbox/applications/${application.id}?/scopes`, {
        form: { scopes: 'payment:read', version: String(version), confirmed },
        headers: { origin: platform.dashboardUrl },
      });
      expect(response.status()).toBe(409);
    }
    expect((await scopesOf(application)).length).toBe(3);
    await visitor.close();
  });

  test('pages of the team, the audit log, and the account show no environment', async () => {
    const visitor = await visit(true);
    const { page } = visitor;
    await page.goto('/sandbox');
    const sandboxNotice = page.getByText("You're in the sandbox.");
    const tint = page.locator('[data-environment="sandbox"]');
    await sandboxNotice.waitFor();
    expect(await tint.count()).toBe(1);
    for (const path of ['/team', '/audit', '/account']) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await sandboxNotice.count(), path).toBe(0);
      expect(await tint.count(), path).toBe(0);
    }
    await auditLook(visitor, 'neutral-account');
    await visitor.close();
  });

  function visit(javaScriptEnabled: boolean): Promise<Visitor> {
    return openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
      javaScriptEnabled,
    });
  }

  async function scopesOf({ id }: TestApplication) {
    return (await team.owner.call(getApplication, { application_id: id })).scopes;
  }

  async function limitsOf({ id }: TestApplication) {
    return (await team.owner.call(getApplication, { application_id: id })).limits;
  }
});

function impactOf(page: Page) {
  return page.getByRole('group', { name: 'Confirm the change to live' });
}
