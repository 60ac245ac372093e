import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLook, auditPage } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { type FullTeam, fillTeam } from '../../support/browser/full-team.ts';
import {
  listPages,
  nameOf,
  needsSession,
  OF_INSTALLATION_ADMIN,
  PAGES,
  SETUP_PAGE,
} from '../../support/browser/pages.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { report } from '../../support/report.ts';

const HREFS = `[...document.querySelectorAll('a[href]')].map(({ href }) => href)`;
/** Files are created for each request, and recorded as exports. */
const IS_EXPORT = /\.(csv|ndjson)$/;

test('every page is listed', async () => {
  expect([...Object.keys(PAGES), SETUP_PAGE].toSorted()).toEqual((await listPages()).toSorted());
});

describeInBrowser(
  'no accessibility violations in light and dark, full keyboard access, no sideways scrolling on a phone, few scripts, no errors',
  () => {
    let platform: SharedPlatform;
    let full: FullTeam;
    let visitors: Record<'nobody' | 'owner' | 'newOwner' | 'installationAdmin', Visitor>;
    /** The pages to which the pages of the owner link, each with one page that has the link. */
    const linked = new Map<string, string>();

    beforeAll(async () => {
      platform = await joinSharedPlatform();
      const { dashboardUrl, installationAdmin } = platform;
      const team = await platform.createTeam();
      full = await fillTeam(platform, team);
      const { owner: newOwner } = await platform.createTeam();
      visitors = {
        nobody: await openVisitor({ dashboardUrl }),
        owner: await openVisitor({ dashboardUrl, member: full.owner }),
        newOwner: await openVisitor({ dashboardUrl, member: newOwner }),
        installationAdmin: await openVisitor({ dashboardUrl, member: installationAdmin }),
      };
    });
    afterAll(async () => {
      await full?.close();
      await platform?.leave();
    });

    test.for(Object.entries(PAGES))('%s', async ([page, addressIn]) => {
      const visitor = visitors[whoSees(page)];
      const address = await addressIn(full);
      await auditPage(visitor, address, nameOf(page));
      if (visitor !== visitors.owner) return;
      for (const href of await visitor.page.evaluate<string[]>(HREFS)) {
        const { origin, pathname } = new URL(href);
        if (!linked.has(origin + pathname)) linked.set(origin + pathname, address);
      }
    });

    test('the links of all pages lead to pages that exist, in the dashboard and in the documentation', async () => {
      const own = [platform.dashboardUrl, platform.docsBaseUrl];
      const links = [...linked].filter(
        ([link]) => own.some((start) => link.startsWith(start)) && !IS_EXPORT.test(link),
      );
      const dead: string[] = [];
      for (const [link, address] of links) {
        const response = await visitors.owner.page.request.get(link);
        if (response.status() >= 400) dead.push(`${link} of ${address}: ${response.status()}`);
        await response.dispose();
      }
      report(`${links.length} links of the dashboard were followed`);
      expect(dead).toEqual([]);
      expect(links.length).toBeGreaterThan(60);
    });

    test.for([
      ['home', '/sandbox'],
      ['team', '/team'],
      ['audit-verification', '/audit/verification'],
    ] as const)('%s of a new team', async ([name, path]) => {
      await auditState(visitors.newOwner, path, `empty-${name}`);
    });

    test.for([
      ['applications', '/sandbox/applications'],
      ['keys', '/sandbox/applications/keys'],
      ['payments', '/sandbox/payments'],
      ['requests', '/sandbox/requests'],
      ['webhooks', '/sandbox/webhooks'],
      ['deliveries', '/sandbox/webhooks/deliveries'],
      ['events', '/sandbox/webhooks/events'],
      ['webhook-verification', '/sandbox/webhooks/verify'],
      ['usage', '/sandbox/usage'],
      ['tokens', '/team/tokens'],
    ] as const)('%s of a new team, explained by a page that exists', async ([name, path]) => {
      const { page } = visitors.newOwner;
      await auditState(visitors.newOwner, path, `empty-${name}`);
      const link = page.locator('#content').getByRole('link', { name: /^Learn about/ });
      const [address = '', anchor] = ((await link.getAttribute('href')) ?? '').split('#');
      const response = await fetch(address);
      expect(response.status).toBe(200);
      if (anchor !== undefined) expect(await response.text()).toContain(`id="${anchor}"`);
    });

    test.for([
      ['live-home', () => '/live'],
      [
        'endpoint-without-deliveries',
        ({ liveEndpointId }: FullTeam) => `/live/webhooks/endpoints/${liveEndpointId}`,
      ],
      ['application-with-labels', () => '/sandbox/applications?name=BEAMTENGESELLSCHAFT'],
      ['wrong-application-filters', () => '/sandbox/applications?name=none&label=env'],
      ['wrong-key-filters', () => '/sandbox/applications/keys?name=none&status=x&application=y'],
      [
        'edit-of-rotated-key',
        ({ application, rotatedKeyId }: FullTeam) =>
          `/sandbox/applications/${application.id}/keys/${rotatedKeyId}/edit`,
      ],
      ['failed-payment', ({ failedPaymentId }: FullTeam) => `/sandbox/payments/${failedPaymentId}`],
      ['filtered-payments', () => '/sandbox/payments?status=failed&currency=EUR&min=1&search=none'],
      ['wrong-payment-filters', () => '/sandbox/payments?min=a&max=b&currency=XXX'],
      [
        'wrong-delivery-filters',
        () => '/sandbox/webhooks/deliveries?status=canceled&payment=x&from=2026-02-31&to_time=12:00',
      ],
      [
        'usage-by-key',
        ({ application }: FullTeam) => `/sandbox/usage?application=${application.id}&period=1h&by=key`,
      ],
      ['wrong-usage-filters', () => '/sandbox/usage?from=2026-02-31&outcome=x'],
      [
        'wrong-audit-filters',
        () => '/audit?actor=member&action=x&application=y&from=2026-02-31&to_time=12:00',
      ],
      ['page-of-another-role', () => '/teams/new'],
    ] as const)('%s', async ([name, addressIn]) => {
      await auditState(visitors.owner, addressIn(full), name);
    });
  },
);

/** Audits a page with other content. The scripts and the focusable controls of its page were already checked. */
async function auditState(visitor: Visitor, path: string, name: string): Promise<void> {
  await visitor.page.goto(path);
  await auditLook(visitor, name);
}

function whoSees(page: string): 'nobody' | 'owner' | 'installationAdmin' {
  if (!needsSession(page)) return 'nobody';
  return page === OF_INSTALLATION_ADMIN ? 'installationAdmin' : 'owner';
}
