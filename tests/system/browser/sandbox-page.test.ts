import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { simulatePayment } from '@tollgate/contracts/payments/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import { findUnreachable } from '../../support/browser/page-audit.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestTeam } from '../../support/platform/test-team.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';

describeInBrowser("the payer's page of the sandbox", () => {
  let platform: SharedPlatform;
  let payer: Visitor;
  let api: ApiClient;
  let endpoint: TestEndpoint;
  let shop: Server;
  let returnUrl: string;
  let team: TestTeam;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    const application = await platform.createApplication(team);
    api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    endpoint = await createWebhookEndpoint(platform.admin.as(team.owner.session), application);
    shop = createServer((_request, response) => response.end('<title>Shop</title>Thank you'));
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    returnUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done`;
    payer = await openVisitor({ dashboardUrl: platform.dashboardUrl, javaScriptEnabled: false });
  });
  afterAll(async () => {
    shop?.close();
    await endpoint?.receiver.close();
    await platform?.leave();
  });

  /** A payment that waits for its payer, who has opened the page. */
  async function opened(fields: object = {}): Promise<Payment> {
    const { body } = await api.create({
      amount: 1999,
      currency: 'EUR',
      purpose: 'Two tickets',
      payment_method: 'pm_redirect',
      return_url: returnUrl,
      ...fields,
    });
    await eventually('the next action', async () => (await api.read(body.id)).body.next_action !== null);
    const { body: payment } = await api.read(body.id);
    await payer.page.goto(payment.next_action?.url ?? '');
    return payment;
  }

  const click = (name: string) => payer.page.getByRole('button', { name }).click();
  const statusOf = async (id: string) => (await api.read(id)).body.status;
  const isDelivered = (id: string, type: string) =>
    eventually(type, () =>
      endpoint.receiver.received.some(({ body }) => body.type === type && body.data.id === id),
    );

  test("the payer's page of the sandbox shows the amount, is accessible in both themes, and works by keyboard without JavaScript", async () => {
    await opened();
    expect(await payer.page.title()).toMatch(/^Pay EUR\s19\.99 · Tollgate sandbox$/);
    await payer.page.getByText('Two tickets').waitFor();
    expect(await findUnreachable(payer.page)).toEqual([]);
  });

  test("the payer's page of the sandbox lets the payer pay, returns to the shop, and a webhook reports the success", async () => {
    const { id } = await opened();
    await click('Pay');
    await payer.page.waitForURL(returnUrl);
    expect(await statusOf(id)).toBe('succeeded');
    await isDelivered(id, 'payment.action_required');
    await isDelivered(id, 'payment.succeeded');
  });

  test("the payer's page of the sandbox lets the payer decline", async () => {
    const { id } = await opened();
    await click('Decline');
    await payer.page.waitForURL(returnUrl);
    expect((await api.read(id)).body).toMatchObject({ status: 'failed', failure: { code: 'declined' } });
    await isDelivered(id, 'payment.failed');
  });

  test("the payer's page of the sandbox leaves the payment pending when the payer closes it, until it expires, and then shows the result", async () => {
    const payment = await opened();
    await click('Close');
    await payer.page.waitForURL(returnUrl);
    expect(await statusOf(payment.id)).toBe('pending');
    await team.owner.call(simulatePayment, { payment_id: payment.id, outcome: { status: 'expired' } });
    expect((await api.read(payment.id)).body).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'expired',
    });
    await isDelivered(payment.id, 'payment.canceled');
    await payer.page.goto(payment.next_action?.url ?? '');
    await payer.page.getByText('Payment canceled').waitFor();
    await payer.page.getByRole('link', { name: 'Return to the shop' }).click();
    await payer.page.waitForURL(returnUrl);
  });

  test("the payer's page of the sandbox that is open while the payment is canceled cannot take the money any more", async () => {
    const { id } = await opened({ return_url: null });
    expect((await api.cancel(id)).status).toBe(200);
    await click('Pay');
    await payer.page.getByText('Payment canceled').waitFor();
    expect(await statusOf(id)).toBe('canceled');
  });

  test("the payer's page of the sandbox says when its address is wrong", async () => {
    const response = await payer.page.goto(`${platform.baseUrl.sandbox}/sandbox/pay/nothing`);
    expect(response?.status()).toBe(404);
    await payer.page.getByText('Payment page not found').waitFor();
  });

  test("the payer's page of the sandbox is linked from the dashboard, which shows the calls to the processor", async () => {
    const { id, next_action } = await opened();
    const developer = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
    await developer.page.goto(`/sandbox/payments/${id}`);
    const link = developer.page.getByRole('link', { name: 'Open payment page' });
    expect(await link.getAttribute('href')).toBe(next_action?.url);
    await developer.page.getByRole('heading', { name: 'Start payment' }).waitFor();
    await auditLook(developer, 'payment-waiting-for-payer');
    await developer.close();
  });

  test("the payer's page of the sandbox looks right in each of its states", async () => {
    const visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl });
    const look = async (payment: Payment, name: string) => {
      await visitor.page.goto(payment.next_action?.url ?? '');
      await auditLook(visitor, name);
    };
    const payment = await opened();
    await look(payment, 'sandbox-page');
    await click('Pay');
    await look(payment, 'sandbox-page-succeeded');
    await visitor.page.goto(`${platform.baseUrl.sandbox}/sandbox/pay/nothing`);
    await auditLook(visitor, 'sandbox-page-not-found');
    await visitor.close();
  });
});
