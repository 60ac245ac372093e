import { listEndpoints, revealSecret } from '@tollgate/contracts/webhooks/rpc';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { apiCaller } from '../../support/browser/api-requests.ts';
import {
  DESKTOP,
  describeInBrowser,
  openVisitor,
  PHONE,
  type Visitor,
  waitForScripts,
} from '../../support/browser/browser.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/platform/webhook-receiver.ts';

const LOG = '/sandbox/webhooks/deliveries';

describeInBrowser('webhook deliveries in the dashboard', () => {
  let platform: SharedPlatform;
  let team: TestTeam;
  let application: TestApplication;
  let receiver: WebhookReceiver;
  let visitor: Visitor;
  let page: Page;
  let paymentId: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    receiver = await startWebhookReceiver();
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    page = visitor.page;
  });
  beforeEach(() => {
    receiver.respond = () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"taken":true}',
    });
  });
  afterAll(async () => {
    await receiver?.close();
    await platform?.leave();
    expect(visitor.pageErrors).toEqual([]);
  });

  test('the delivery of a payment to a new endpoint appears in the open log without a reload', async () => {
    await page.goto('/sandbox/webhooks/endpoints/new');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.waitForURL('**/webhooks/endpoints/whe_*');
    await trustEndpoint();

    await page.goto(LOG);
    await page.getByText('No sandbox deliveries yet').waitFor();
    await page.getByText('Real time').waitFor();
    await page.evaluate('window.isSamePage = true');
    paymentId = await pay();
    await rows().filter({ hasText: 'payment.created' }).getByText('Succeeded').waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    for (const size of [PHONE, DESKTOP]) {
      await page.setViewportSize(size);
      expect(await linesOfLink()).toBe(1);
    }
  });

  test('the delivery shows its attempt with the exact bytes that were signed and sent, and the response', async () => {
    await rows().getByRole('link', { name: 'payment.created' }).click();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
    const [received] = receiver.received;
    expect(received).toBeDefined();
    const request = page.getByRole('region', { name: 'Request of attempt 1' });
    await request.getByLabel('Show the original text').check();
    expect(await request.getByRole('region', { name: 'original request body' }).textContent()).toBe(
      received?.rawBody.toString(),
    );
    await page.getByText(String(received?.headers['webhook-signature'])).waitFor();
    const response = page.getByRole('region', { name: 'Response of attempt 1' });
    await response.getByLabel('Show the original text').check();
    expect(await response.getByRole('region', { name: 'original response body' }).textContent()).toBe(
      '{"taken":true}',
    );
  });

  test('a JSON body is formatted, and its objects fold', async () => {
    const body = page.getByRole('region', { name: 'request body', exact: true });
    await page
      .getByRole('region', { name: 'Request of attempt 1' })
      .getByLabel('Show the original text')
      .uncheck();
    const type = body.getByText('"payment.created"');
    await type.waitFor();
    await body.getByText('"data"').click();
    await body
      .getByText(/\d+ fields/)
      .filter({ visible: true })
      .waitFor();
    await body.getByText(paymentId).waitFor({ state: 'hidden' });
    expect(await type.isVisible()).toBe(true);
  });

  test('a resent delivery arrives again with the same id and the same bytes', async () => {
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByRole('heading', { name: 'Attempt 2' }).waitFor();
    await page.getByText('on attempt 2').waitFor();
    const [first, second] = receiver.received;
    expect(second?.id).toBe(first?.id);
    expect(second?.rawBody.equals(first?.rawBody as Buffer)).toBe(true);
    expect(receiver.rejected).toEqual([]);
  });

  test('a canceled delivery is not attempted again', async () => {
    receiver.respond = () => ({ status: 503 });
    await openNewest(await pay());
    // On a busy machine, the second attempt has failed as well before the page is open.
    await page.getByText(/Attempt [23] of 3/).waitFor();
    await page.getByText('Next attempt in').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel delivery' }).click();
    await page.getByText('Delivery canceled').waitFor();
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(0);
  });

  test.for([
    [
      'a response that is not 2xx',
      () => ({ status: 500, body: 'Out of order' }),
      '500 response',
      'The receiver failed. Search its logs for the webhook-id.',
    ],
    [
      'a redirect',
      () => ({ status: 302, headers: { location: '/elsewhere' } }),
      '302 response',
      'Redirects are not followed. Set the endpoint URL to the redirect target.',
    ],
  ] as const)(
    '%s fails the attempt, which shows the reason and advice',
    async ([, response, title, advice]) => {
      receiver.respond = response;
      await openNewest(await pay());
      await openAttempt().getByText(title, { exact: true }).waitFor();
      await openAttempt().getByText(advice, { exact: true }).waitFor();
    },
  );

  test('the log is filtered, and the address keeps the filters', async () => {
    await page.goto(LOG);
    const all = await rows().count();
    await page.getByLabel('Status').selectOption('Canceled');
    await page.getByRole('link', { name: 'Remove filter Status: Canceled' }).waitFor();
    expect(await rows().count()).toBe(1);
    expect(all).toBeGreaterThan(1);

    await page.goto(`${LOG}?payment=${paymentId}&status=succeeded&type=payment.created`);
    expect(await rows().count()).toBe(1);
    await page.getByLabel('Payment').fill('not an id');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a payment ID').waitFor();

    await page.goto(`${LOG}?status=skipped`);
    await page.getByText('No matching deliveries').waitFor();
  });

  test('filter input on the log is kept while rows change', async () => {
    await page.goto(LOG);
    await page.getByText('Real time').waitFor();
    await page.getByLabel('Status').selectOption('Canceled');
    await page.getByLabel('Payment').fill('half typed');
    const refreshed = page.waitForResponse(/__data\.json/);
    await pay();
    await refreshed;
    await page
      .getByRole('status')
      .getByText(/updated/)
      .waitFor({ state: 'attached' });
    expect(await page.getByLabel('Payment').inputValue()).toBe('half typed');
    expect(await page.getByLabel('Status').inputValue()).toBe('canceled');
  });

  test('the page of a payment shows its events in the order of its timeline, and links to their deliveries', async () => {
    await page.goto(`/sandbox/payments/${paymentId}`);
    await page.getByRole('heading', { name: 'Webhook events' }).waitFor();
    expect(
      await page
        .getByRole('heading', { name: /^payment\./ })
        .first()
        .innerText(),
    ).toBe('payment.created');
    await page.getByRole('link', { name: receiver.url }).first().click();
    await page.waitForURL(`**${LOG}/dlv_*`);
    await page.getByRole('link', { name: /^evt_/ }).click();
    await page.getByText(/^version \d+$/).waitFor();
    await page
      .getByRole('table', { name: /Deliveries of this event/ })
      .getByRole('link', { name: receiver.url })
      .waitFor();
  });

  test('deliveries can be read, filtered and resent without JavaScript', async () => {
    const { dashboardUrl } = platform;
    const plain = await openVisitor({ dashboardUrl, member: team.owner, javaScriptEnabled: false });
    await plain.page.goto(LOG);
    await plain.page.getByLabel('Payment').fill(paymentId);
    await plain.page.getByLabel('Event type').selectOption('payment.created');
    await plain.page.getByRole('button', { name: 'Filter' }).click();
    await plain.page.getByRole('row').getByRole('link', { name: 'payment.created' }).click();
    await plain.page.getByText('Attempt 1', { exact: true }).click();
    await plain.page.getByRole('link', { name: 'Show request and response bodies' }).click();
    const body = plain.page
      .getByRole('region', { name: 'Request of attempt 1' })
      .getByRole('region', { name: 'request body', exact: true });
    expect(await body.textContent()).toContain(paymentId);

    await plain.page.getByRole('button', { name: 'Resend' }).click();
    await plain.page.waitForURL(/dlv_\w+$/);
    await expect
      .poll(async () => {
        await plain.page.reload();
        return plain.page.getByRole('heading', { name: 'Attempt 3' }).count();
      })
      .toBe(1);
    await plain.page.getByRole('link', { name: /^evt_/ }).click();
    expect(await plain.page.getByRole('region', { name: 'body', exact: true }).textContent()).toContain(
      paymentId,
    );
    await plain.close();
  });

  test('a delivery is resent from its row, and several selected ones together', async () => {
    const paymentIds = [await pay(), await pay()];
    const attempts = () =>
      paymentIds.map((id) => receiver.received.filter(({ body }) => body.data.id === id).length);
    await expect.poll(attempts).toEqual([1, 1]);
    await page.goto(LOG);
    await waitForScripts(page);
    await rows().first().getByRole('button', { name: 'Resend' }).click();
    await page.getByText('1 delivery queued.').waitFor();
    await expect.poll(attempts).toEqual([1, 2]);

    for (const at of [0, 1]) await rows().nth(at).getByRole('checkbox').check();
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Resend', exact: true }).click();
    await page.getByText('2 deliveries queued.').waitFor();
    await expect.poll(attempts).toEqual([2, 3]);
  });

  test('an event without subscribed endpoints says so', async () => {
    const other = await platform.createApplication(team);
    const api = apiCaller(platform.baseUrl.sandbox, other.keys.sandbox);
    const id = await api.createPayment({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
    await expect
      .poll(async () => {
        await page.goto(`/sandbox/webhooks/events?payment=${id}`);
        return rows().count();
      })
      .toBe(1);
    await rows().getByRole('link', { name: 'payment.created' }).click();
    await page.getByText('Not sent: no subscribed endpoints.').waitFor();
  });

  test('an attempt without a listening server shows the error and no response', async () => {
    await receiver.close();
    await openNewest(await pay());
    await openAttempt().getByText('Connection failed', { exact: true }).waitFor();
    await openAttempt().getByText('Check that a server listens on this address and port').waitFor();
    await openAttempt().getByText('No response').waitFor();
  });

  /** The newest one is open. On a busy machine, more attempts follow before the page is open. */
  function openAttempt(): Locator {
    return page.locator('details[open]').filter({ has: page.getByRole('heading', { name: /^Attempt \d$/ }) });
  }

  function linesOfLink(): Promise<number> {
    return rows()
      .getByRole('link', { name: 'payment.created' })
      .evaluate(
        (link: { getClientRects(): ArrayLike<{ top: number }> }) =>
          new Set(Array.from(link.getClientRects(), ({ top }) => top)).size,
      );
  }

  /** From now on the receiver accepts only deliveries that the endpoint's secret signs. */
  async function trustEndpoint(): Promise<void> {
    const { data } = await team.owner.call(listEndpoints, { environment: 'sandbox' });
    const { secret } = await team.owner.call(revealSecret, { endpoint_id: String(data[0]?.id) });
    receiver.trust(secret);
  }

  function pay(): Promise<string> {
    const api = apiCaller(platform.baseUrl.sandbox, application.keys.sandbox);
    return api.createPayment({ amount: 1250, currency: 'EUR', payment_method: 'pm_hold' });
  }

  /** Opens the only delivery of a payment after an attempt. */
  async function openNewest(id: string): Promise<void> {
    await page.goto(`${LOG}?payment=${id}`);
    await rows().getByRole('link', { name: 'payment.created' }).click();
    await page.getByRole('heading', { name: 'Attempt 1' }).waitFor();
  }

  /** The rows of the log, without the header. */
  function rows() {
    return page.getByRole('row').filter({ has: page.getByRole('cell') });
  }
});
