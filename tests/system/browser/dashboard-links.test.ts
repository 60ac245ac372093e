import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { type FullTeam, fillTeam } from '../../support/browser/full-team.ts';
import { needsSession, OF_INSTALLATION_ADMIN, PAGES } from '../../support/browser/pages.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { report } from '../../support/report.ts';

const HREFS = `[...document.querySelectorAll('a[href]')].map(({ href }) => href)`;
/** Files are created for each request, and recorded as exports. */
const IS_EXPORT = /\.(csv|ndjson)$/;

describeInBrowser('the links of the dashboard', () => {
  let platform: SharedPlatform;
  let full: FullTeam;
  let owner: Visitor;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    full = await fillTeam(platform, await platform.createTeam());
    owner = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: full.owner });
  });
  afterAll(async () => {
    await full?.close();
    await platform?.leave();
  });

  test('lead to pages that exist, within it and in the documentation', async () => {
    const found = new Map<string, string>();
    for (const [page, addressIn] of Object.entries(PAGES)) {
      if (!needsSession(page) || OF_INSTALLATION_ADMIN.includes(page)) continue;
      const address = await addressIn(full);
      await owner.page.goto(address);
      for (const href of await owner.page.evaluate<string[]>(HREFS)) {
        const { origin, pathname } = new URL(href);
        if (!found.has(origin + pathname)) found.set(origin + pathname, address);
      }
    }
    const dead: string[] = [];
    const own = [platform.dashboardUrl, platform.docsBaseUrl];
    const links = [...found].filter(
      ([link]) => own.some((start) => link.startsWith(start)) && !IS_EXPORT.test(link),
    );
    for (const [link, address] of links) {
      const { status } = await owner.page.request
        .get(link)
        .then((response) => ({ status: response.status() }));
      if (status >= 400) dead.push(`${link} of ${address}: ${status}`);
    }
    report(`${links.length} links of the dashboard were followed`);
    expect(dead).toEqual([]);
    expect(links.length).toBeGreaterThan(60);
  });
});
