import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';

describeInBrowser('the retention period on the page of the team', () => {
  let platform: SharedPlatform;
  let team: TestTeam;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
  });
  afterAll(() => platform?.leave());

  test.each([
    ['with', true],
    ['without', false],
  ])(
    'the retention period on the page of the team is set and removed by an admin, %s JavaScript',
    async (_name, javaScriptEnabled) => {
      const admin = await team.createMember('admin');
      const { dashboardUrl } = platform;
      const visitor = await openVisitor({ dashboardUrl, member: admin, javaScriptEnabled });
      const { page } = visitor;
      const days = page.getByRole('textbox', { name: 'Days after the end of a payment' });
      const save = page.getByRole('button', { name: 'Save retention period' });

      for (const wrong of ['29', '3651', 'a year', '90.5']) {
        // A second visit of the same address would be a reload, which restores what was typed.
        await page.goto('about:blank');
        await page.goto('/team/policies');
        await page.getByText('An erasure cannot be undone').waitFor();
        await days.fill(wrong);
        await save.click();
        const rejected = page.locator('input[name="days"][aria-invalid="true"]');
        await rejected.waitFor();
        expect(await rejected.inputValue()).toBe(wrong);
        await page.getByText('Enter a whole number from 30 to 3,650, or leave it empty.').waitFor();
      }
      if (javaScriptEnabled) await auditLook(visitor, 'retention-rejected');

      await days.fill('400');
      await save.click();
      await page.getByText('Retention period saved.').waitFor();
      expect(await days.inputValue()).toBe('400');
      if (javaScriptEnabled) await auditLook(visitor, 'retention-saved');

      await days.fill('');
      await save.click();
      await page.getByText('The data is kept permanently.').waitFor();
      expect(await days.inputValue()).toBe('');
      await visitor.close();
    },
  );

  test('the retention period on the page of policies is shown to a developer, who cannot change it', async () => {
    const developer = await team.createMember('developer');
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: developer });
    await visitor.page.goto('/team/policies');
    await visitor.page.getByText('The data is kept permanently.').waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Save retention period' }).count()).toBe(0);
    await visitor.close();
  });
});
