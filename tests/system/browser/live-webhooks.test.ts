import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { cancelDelivery, createEndpoint, disableEndpoint } from '@tollgate/contracts/webhooks/rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/platform/webhook-receiver.ts';

describeInBrowser('an open webhooks page', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let team: TestTeam;
  let application: TestApplication;
  let receiver: WebhookReceiver;
  let endpointId: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    receiver = await startWebhookReceiver();
    const { id, secret } = await team.owner.call(createEndpoint, {
      application_id: application.id,
      environment: 'sandbox',
      url: receiver.url,
      event_types: ['payment.created'],
    });
    receiver.trust(shownOnce(secret));
    endpointId = id;
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: team.owner });
  });
  afterAll(async () => {
    await receiver?.close();
    await platform?.leave();
  });

  /** Opens a page and waits until it receives live updates. */
  async function open(path: string) {
    const { page } = visitor;
    await page.goto(path);
    await page.getByText('Real time').waitFor();
    return page;
  }

  function pay() {
    const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    return api.create({ amount: 100, currency: 'EUR', payment_method: 'pm_hold' });
  }

  test('an open webhooks page shows the delivery of a new payment without a reload, and announces it to screen readers', async () => {
    const page = await open('/sandbox/webhooks/deliveries');
    await page.getByText('No sandbox deliveries yet').waitFor();
    await pay();
    const row = page.getByRole('row', { name: /payment\.created/ });
    await row.getByText('Succeeded').waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    await page.getByRole('status').getByText('Delivery updated.').waitFor({ state: 'attached' });
  });

  test('an open webhooks page shows that another member has canceled the open delivery', async () => {
    receiver.respond = () => ({ status: 500 });
    const { page } = visitor;
    await open('/sandbox/webhooks/deliveries');
    await pay();
    const row = page.getByRole('row', { name: /payment\.created/ }).first();
    await row.getByText('Pending').waitFor();
    const path = (await row.getByRole('link', { name: 'payment.created' }).getAttribute('href')) as string;
    await open(path);
    await page.getByText('Pending').first().waitFor();
    await team.owner.call(cancelDelivery, { delivery_id: path.split('/').at(-1) as string });
    await page.getByText('Canceled').first().waitFor();
  });

  test('an open webhooks page shows that the endpoint has been disabled', async () => {
    const page = await open(`/sandbox/webhooks/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await team.owner.call(disableEndpoint, { endpoint_id: endpointId, reason: 'Moves to another host' });
    await page.getByText('Moves to another host').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
  });
});
