import { createEndpoint } from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { auditLook } from '../../support/browser/audit.ts';
import { describeInBrowser, openVisitor, type Visitor } from '../../support/browser/browser.ts';
import type { TestApplication, TestTeam } from '../../support/platform/platform.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import {
  type ReceivedWebhook,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../../support/platform/webhook-receiver.ts';

const PATH = '/sandbox/webhooks/verify';

describeInBrowser('a received delivery pasted into the signature check', () => {
  let platform: SharedPlatform;
  let visitor: Visitor;
  let team: TestTeam;
  let application: TestApplication;
  let receiver: WebhookReceiver;
  let received: ReceivedWebhook;
  let endpointId: string;

  beforeAll(async () => {
    platform = await joinSharedPlatform();
    team = await platform.createTeam();
    application = await platform.createApplication(team);
    receiver = await startWebhookReceiver();
    endpointId = (await createTestEndpoint(receiver.url)).id;
    const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
    await api.create({ amount: 100, currency: 'EUR', purpose: 'Bücher – 10 €', payment_method: 'pm_hold' });
    await eventually('the receiver has it', () => receiver.received.length === 1);
    received = receiver.received[0] as ReceivedWebhook;
    const developer = await team.createMember('developer');
    visitor = await openVisitor({ dashboardUrl: platform.dashboardUrl, member: developer });
  });
  afterAll(async () => {
    await receiver?.close();
    await platform?.leave();
  });

  test('a received delivery pasted into the signature check verifies as received', async () => {
    const { page } = visitor;
    await check(page, pastedWith(body()));
    await page.getByText('Signature valid with the current secret').waitFor();
    await auditLook(visitor, 'webhook-verifies');
    expect(visitor.pageErrors).toEqual([]);
  });

  test('a received delivery pasted into the signature check verifies with the trailing line break of a log', async () => {
    const { page } = visitor;
    await check(page, `POST /hooks HTTP/1.1\n${pastedWith(body())}\n`);
    await page.getByText('Signature valid with the current secret').waitFor();
    await page.getByText('The trailing line break was removed').waitFor();
  });

  test('a received delivery pasted into the signature check reports the position of a changed byte, and keeps the pasted text', async () => {
    const { page } = visitor;
    const pasted = pastedWith(body().replace('"amount":100', '"amount":900'));
    await check(page, pasted);
    await page.getByRole('alert').getByText('Signature not valid').waitFor();
    await page.getByText('“900,').waitFor();
    expect(await page.getByLabel('Received request').inputValue()).toBe(pasted);
    await auditLook(visitor, 'webhook-does-not-verify');
  });

  test('a received delivery pasted into the signature check reports a body that was serialized again', async () => {
    const { page } = visitor;
    await check(page, pastedWith(JSON.stringify(JSON.parse(body()), null, 2)));
    await page.getByText('JSON parsed and re-serialized').waitFor();
  });

  test('a received delivery pasted into the signature check names the endpoint that it was signed for when another one is selected', async () => {
    const { page } = visitor;
    const other = await createTestEndpoint('http://127.0.0.1:9/other');
    await page.goto(`${PATH}?endpoint=${other.id}`);
    await page.getByLabel('Received request').fill(pastedWith(body()));
    await page.getByRole('button', { name: 'Verify signature' }).click();
    await page.getByText('Signed for another endpoint', { exact: true }).waitFor();
    await page.getByText(`${receiver.url} (${endpointId})`).waitFor();
  });

  test('a received delivery pasted into the signature check verifies from separate fields without JavaScript, counts a line break, and rejects empty input beside the field', async () => {
    const plain = await openVisitor({
      dashboardUrl: platform.dashboardUrl,
      member: team.owner,
      javaScriptEnabled: false,
    });
    const { page } = plain;
    await page.goto(`${PATH}?endpoint=${endpointId}`);
    await page.getByRole('button', { name: 'Verify signature' }).click();
    await page.getByText('No webhook headers or body found').waitFor();
    await page.getByText('Enter the parts separately').click();
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      await page.getByLabel(name).fill(String(received.headers[name]));
    await page.getByRole('textbox', { name: 'Body' }).fill(`${body()}\n`);
    await page.getByRole('button', { name: 'Verify signature' }).click();
    await page.getByText('Trailing line break in the body').waitFor();
    expect(await page.getByLabel('webhook-id').inputValue()).toBe(received.id);
    await page.getByRole('textbox', { name: 'Body' }).fill(body());
    await page.getByRole('button', { name: 'Verify signature' }).click();
    await page.getByText('Signature valid with the current secret').waitFor();

    await page.getByRole('radio', { name: 'Python' }).check();
    await page.getByText('def verify(raw_body: bytes').waitFor();
    await plain.close();
  });

  const body = () => received.rawBody.toString();

  function pastedWith(text: string): string {
    const headers = Object.entries(received.headers).map(([name, value]) => `${name}: ${value}`);
    return `${headers.join('\n')}\n\n${text}`;
  }

  async function check(page: Page, pasted: string): Promise<void> {
    await page.goto(`${PATH}?endpoint=${endpointId}`);
    await page.getByLabel('Received request').fill(pasted);
    await page.getByRole('button', { name: 'Verify signature' }).click();
  }

  function createTestEndpoint(url: string) {
    return team.owner.call(createEndpoint, {
      application_id: application.id,
      environment: 'sandbox',
      url,
      event_types: ['payment.created'],
    });
  }
});
