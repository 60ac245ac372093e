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

test('every page is listed', async () => {
  expect([...Object.keys(PAGES), SETUP_PAGE].toSorted()).toEqual((await listPages()).toSorted());
});

describeInBrowser(
  'no accessibility violations in light and dark, full keyboard access, no sideways scrolling on a phone, few scripts, no errors',
  () => {
    let platform: SharedPlatform;
    let full: FullTeam;
    let visitors: Record<'nobody' | 'owner' | 'newOwner' | 'installationAdmin', Visitor>;

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
      await auditPage(visitors[whoSees(page)], await addressIn(full), nameOf(page));
    });

    test.for([
      ['home', '/sandbox'],
      ['applications', '/sandbox/applications'],
      ['keys', '/sandbox/applications/keys'],
      ['payments', '/sandbox/payments'],
      ['webhooks', '/sandbox/webhooks'],
      ['deliveries', '/sandbox/webhooks/deliveries'],
      ['events', '/sandbox/webhooks/events'],
      ['usage', '/sandbox/usage'],
      ['team', '/team'],
      ['tokens', '/team/tokens'],
      ['audit-verification', '/audit/verification'],
    ])('%s of a new team', async ([name, path]) => {
      await auditState(visitors.newOwner, path as string, `empty-${name}`);
    });

    test.for([
      ['home', () => '/live'],
      ['application', ({ application }: FullTeam) => `/live/applications/${application.id}`],
      [
        'key',
        ({ application }: FullTeam) => `/live/applications/${application.id}/keys/${application.keyIds.live}`,
      ],
      ['endpoint', ({ liveEndpointId }: FullTeam) => `/live/webhooks/endpoints/${liveEndpointId}`],
      ['payment', ({ livePaymentId }: FullTeam) => `/live/payments/${livePaymentId}`],
    ] as const)('%s in live', async ([name, addressIn]) => {
      await auditState(visitors.owner, addressIn(full), `live-${name}`);
    });

    test.for([
      ['application-with-labels', () => '/sandbox/applications?name=BEAMTENGESELLSCHAFT'],
      ['filtered-applications', () => '/sandbox/applications?name=none&label=env:prod'],
      ['wrong-application-filters', () => '/sandbox/applications?label=env'],
      ['filtered-keys', () => '/sandbox/applications/keys?name=none&status=revoked'],
      ['wrong-key-filters', () => '/sandbox/applications/keys?status=x&application=y'],
      [
        'edit-of-rotated-key',
        ({ application, rotatedKeyId }: FullTeam) =>
          `/sandbox/applications/${application.id}/keys/${rotatedKeyId}/edit`,
      ],
      ['failed-payment', ({ failedPaymentId }: FullTeam) => `/sandbox/payments/${failedPaymentId}`],
      ['filtered-payments', () => '/sandbox/payments?status=failed&currency=EUR&min=1&search=none'],
      ['filtered-deliveries', () => '/sandbox/webhooks/deliveries?status=canceled&type=payment.created'],
      [
        'wrong-delivery-filters',
        () => '/sandbox/webhooks/deliveries?payment=x&from=2026-02-31&to_time=12:00',
      ],
      [
        'usage-by-key',
        ({ application }: FullTeam) => `/sandbox/usage?application=${application.id}&period=1h&by=key`,
      ],
      ['wrong-usage-filters', () => '/sandbox/usage?from=2026-02-31&outcome=x'],
      [
        'filtered-audit',
        () => '/audit?actor=member&action=application.renamed&environment=live&search=nobody',
      ],
      ['wrong-audit-filters', () => '/audit?action=x&application=y&from=2026-02-31&to_time=12:00'],
      ['wrong-filters', () => '/sandbox/payments?min=a&max=b&currency=XXX'],
      ['page-that-is-not-there', () => '/sandbox/payments/pay_nothing'],
      ['unknown-token', () => '/team/tokens/tok_nothing'],
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
