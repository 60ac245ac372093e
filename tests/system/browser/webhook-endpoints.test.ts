import {
  enableEndpoint,
  getEndpoint,
  listDeliveries,
  rotateSecret,
  updateEndpoint,
} from '@tollgate/contracts/webhooks/rpc';
import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/platform/webhook-receiver.ts';

/** Long enough to load a page meanwhile. */
const OVERLAP_S = 10;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

describeInBrowser('webhook endpoints in the dashboard', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let visitor: Visitor;
  let page: Page;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
  });
  beforeEach(async () => {
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    receiver = await startWebhookReceiver();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  afterEach(async () => {
    await receiver?.close();
    expect(receiver?.rejected).toEqual([]);
    expect(visitor.pageErrors).toEqual([]);
    await visitor.close();
  });
  afterAll(() => platform?.leave());

  test('a new endpoint receives payment events, which its shown secret verifies', async () => {
    await page.goto('/sandbox/webhooks');
    await page.getByText('No webhook endpoints yet').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByLabel('Description').fill('Order service');
    await page.getByRole('radio', { name: 'Select event types' }).check();
    await page.getByRole('switch', { name: 'payment.created' }).check();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Endpoint added').waitFor();
    await page.getByText('Real time', { exact: true }).waitFor();
    receiver.trust(await revealSecret());

    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    const paymentId = await api.createPayment({
      amount: 4200,
      currency: 'EUR',
      payment_method: 'pm_succeed',
    });
    const row = page.getByRole('row', { name: /payment\.created/ });
    await row.getByText('Succeeded').waitFor();
    await page.getByText('100%').waitFor();
    expect(receiver.received.map(({ body }) => [body.type, body.data.id])).toEqual([
      ['payment.created', paymentId],
    ]);

    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByRole('row', { name: /Order service.*payment\.created.*Enabled/ }).waitFor();
  });

  test('a new endpoint of a team with several applications asks for one of them', async () => {
    const other = await platform.createApplication(team);
    await page.goto('/sandbox/webhooks/endpoints/new');
    await page.evaluate('for (const form of document.forms) form.noValidate = true');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Select an application.').waitFor();
    await page.getByLabel('Application').selectOption(other.id);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Endpoint added').waitFor();
    await page.getByText('All, including future ones').waitFor();

    await page.goto(`/sandbox/webhooks/endpoints/new?application=${application.id}`);
    expect(await page.getByLabel('Application').inputValue()).toBe(application.id);
  });

  test('a failing endpoint is shown as failing and disabled on every page, and recovers without loss after a fix, with a count before the start', async () => {
    // A retry of the first event must not get the response to the second one.
    receiver.respond = ({ body }) => ({ status: body.type === 'payment.created' ? 410 : 500 });
    await addEndpoint();
    await sendTestEvent('payment.failed');
    await page.getByText('The endpoint has been failing since').waitFor();
    await page.getByRole('main').getByText('Failing', { exact: true }).waitFor();
    await auditLook(visitor, 'endpoint-failing');

    await sendTestEvent('payment.created');
    await page.getByText('Disabled because the endpoint returned 410 Gone').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await auditLook(visitor, 'endpoint-disabled');
    const path = new URL(page.url()).pathname;
    await page.goto('/sandbox/webhooks');
    await page.getByRole('row', { name: /Disabled Returned 410 Gone/ }).waitFor();
    await page.goto('/sandbox');
    await page.getByRole('link', { name: /Webhook endpoint is disabled: .*127\.0\.0\.1/ }).click();
    await page.waitForURL(`**${path}`);

    receiver.respond = () => ({});
    receiver.received.length = 0;
    await page.getByRole('button', { name: 'Enable endpoint' }).click();
    await page.getByText('Endpoint enabled').waitFor();
    await page.getByRole('button', { name: 'Recover failed', exact: true }).click();
    const recovery = page.getByRole('dialog', { name: 'Recover failed deliveries' });
    await recovery.getByText('1 delivery will be sent.').waitFor();
    await recovery.getByRole('button', { name: 'Cancel' }).click();
    expect(receiver.received).toEqual([]);
    await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
    await page.getByText('1 delivery queued.').waitFor();
    await expect.poll(receivedTypes).toEqual(['payment.created']);
    await page.getByRole('button', { name: 'Replay missing events' }).click();
    await expect.poll(receivedTypes).toEqual(['payment.created', 'payment.failed']);
    await page.getByRole('main').getByText('Enabled', { exact: true }).waitFor();
    await page.goto('/sandbox');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await page.getByText('Webhook endpoint is').count()).toBe(0);
  });

  test('an endpoint disabled with a reason receives nothing, and its open page shows when another member enables it', async () => {
    const id = await addEndpoint();
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByLabel('Reason').fill('We move to another host');
    await page.getByRole('button', { name: 'Disable endpoint' }).click();
    await page.getByText('“We move to another host”').waitFor();
    const { disabled } = await team.owner.call(getEndpoint, { endpoint_id: id });
    expect(disabled).toMatchObject({ by: 'member', reason: 'We move to another host' });
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    await api.createPayment({ amount: 4200, currency: 'EUR', payment_method: 'pm_hold' });
    await page.getByRole('row', { name: /Skipped payment\.created/ }).waitFor();
    expect(receiver.received).toEqual([]);

    await team.owner.call(enableEndpoint, { endpoint_id: id });
    await page.getByRole('main').getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
  });

  test('during a rotation, both secrets sign and the remaining time is shown; afterwards only the new secret signs', async () => {
    const id = await addEndpoint();
    const first = await revealSecret();
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('Secret rotated.').waitFor();
    const second = await shownSecret();
    expect(second).not.toBe(first);
    await page.getByText(/The old secret expires in 23 h 59 min/).waitFor();
    await auditLook(visitor, 'endpoint-secret-rotated');
    await expect.poll(() => signersOf([first, second])).toEqual([first, second]);

    const { secret: third } = await team.owner.call(rotateSecret, { endpoint_id: id, overlap_s: OVERLAP_S });
    await page.goto(`/sandbox/webhooks/endpoints/${id}`);
    expect(await page.content()).not.toContain(third);
    await page.getByText(/The old secret expires in \d+ s/).waitFor();
    const overlapOverMs = 3 * OVERLAP_S * 1000;
    await page.getByText('Two secrets are active').waitFor({ state: 'hidden', timeout: overlapOverMs });
    await expect.poll(() => signersOf([first, second, third])).toEqual([third]);
  });

  test('deleting an endpoint cancels its pending deliveries and keeps its deliveries in the log', async () => {
    receiver.respond = () => ({ status: 500 });
    const id = await addEndpoint();
    await sendTestEvent('payment.created');
    await page.getByRole('row', { name: /Pending/ }).waitFor();
    const path = new URL(page.url()).pathname;
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByText('Endpoint deleted.').waitFor();
    await page.getByText('No webhook endpoints yet').waitFor();
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    const log = await team.owner.call(listDeliveries, { endpoint_id: id });
    expect(log.data.map(({ status }) => status)).toEqual(['canceled']);
  });

  test('a concurrent change by another member is shown beside the typed values, which are kept', async () => {
    const id = await addEndpoint();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Mine');
    await team.owner.call(updateEndpoint, { endpoint_id: id, description: 'Theirs' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('This was changed after you opened the page.').waitFor();
    await page.getByText('Current value: Theirs').waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('Mine');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Endpoint saved.').waitFor();
    expect(await team.owner.call(getEndpoint, { endpoint_id: id })).toMatchObject({ description: 'Mine' });
  });

  test('without JavaScript, an endpoint is validated, added, tested and deleted, and its secret revealed and rotated', async () => {
    const { dashboardUrl } = platform;
    const plain = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled: false });
    page = plain.page;
    await page.goto(`/sandbox/applications/${application.id}`);
    await page.getByRole('link', { name: 'Add endpoint' }).click();
    await page.getByLabel('URL').fill('http://[fe80::1]/hooks');
    await page.getByRole('radio', { name: 'Select event types' }).check();
    await page.getByRole('switch', { name: 'payment.succeeded' }).check();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('it is not a public address').waitFor();
    expect(await page.getByRole('switch', { name: 'payment.succeeded' }).isChecked()).toBe(true);
    expect(await page.getByRole('switch', { name: 'payment.canceled' }).isChecked()).toBe(false);
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Endpoint added').waitFor();
    expect(await page.getByText('All, including future ones').count()).toBe(0);

    receiver.trust(await revealSecret());
    await sendTestEvent('payment.succeeded');
    await expect.poll(receivedTypes).toEqual(['payment.succeeded']);
    await page.getByRole('button', { name: 'Rotate', exact: true }).click();
    await page.getByRole('radio', { name: '7 days' }).check();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText(/The old secret expires in (6 days 23 h|7 days)/).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    await page.getByText('Endpoint deleted.').waitFor();
    await plain.close();
  });

  /** Adds an endpoint with the form, which then leads to the endpoint's page. */
  async function addEndpoint(): Promise<string> {
    await page.goto('/sandbox/webhooks/endpoints/new');
    await page.getByLabel('URL').fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByText('Endpoint added').waitFor();
    await page.getByText('Real time', { exact: true }).waitFor();
    return String(new URL(page.url()).pathname.split('/').at(-1));
  }

  async function sendTestEvent(type: string): Promise<void> {
    await page.getByRole('button', { name: 'Send test event' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Send test event' });
    await dialog.getByLabel('Event type').selectOption(type);
    await dialog.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText(`Test event ${type} queued.`).waitFor();
  }

  async function revealSecret(): Promise<string> {
    await page.getByRole('button', { name: 'Reveal' }).click();
    return shownSecret();
  }

  async function shownSecret(): Promise<string> {
    return String(await page.getByText(SECRET).textContent());
  }

  /** The subset of the secrets that sign a delivery sent now. */
  async function signersOf(secrets: string[]): Promise<string[]> {
    receiver.received.length = 0;
    await sendTestEvent('payment.created');
    await expect.poll(() => receiver.received.length).toBe(1);
    return secrets.filter((secret) => isSignedWith(secret, receiver.received[0] as ReceivedWebhook));
  }

  function receivedTypes(): string[] {
    return receiver.received.map(({ body }) => body.type);
  }
});

function isSignedWith(secret: string, { rawBody, headers }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(rawBody, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}
