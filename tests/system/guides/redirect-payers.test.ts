import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeBlocksOf } from '../../support/platform/code-blocks.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';

const SHOP = fileURLToPath(new URL('../../../docs/examples/redirect-shop.ts', import.meta.url));
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

let platform: SharedPlatform;
let shop: Awaited<ReturnType<typeof startShop>>;
beforeAll(async () => {
  platform = await joinSharedPlatform();
  shop = await startShop();
});
afterAll(async () => {
  await shop?.stop();
  await platform?.leave();
});

/** Runs the example as its first line says, with an endpoint for its webhooks. */
async function startShop() {
  const team = await platform.createTeam();
  const application = await platform.createApplication(team);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const { body: endpoint } = await platform.admin.as(team.owner.session).call(ADMIN_ROUTES.createEndpoint, {
    application_id: application.id,
    environment: 'sandbox',
    url: `${url}/hooks`,
    event_types: ['payment.succeeded', 'payment.failed', 'payment.canceled'],
  });
  const server = await startChildServer({
    name: 'redirect-shop.ts',
    command: process.execPath,
    args: [SHOP],
    env: {
      ...process.env,
      TOLLGATE_API_KEY: application.keys.sandbox,
      TOLLGATE_URL: platform.baseUrl.sandbox,
      WEBHOOK_SECRET: shownOnce(endpoint.secret),
      PORT: String(port),
    },
    isReady: () =>
      fetch(url).then(
        () => true,
        () => false,
      ),
  });
  const send = (address: string, init: RequestInit = {}) =>
    fetch(address, { ...init, method: 'POST', redirect: 'manual' });
  return {
    url,
    /** Presses "Pay"; resolves to where the payer is sent. */
    pay: async (order: string) => (await send(`${url}/orders/${order}/pay`)).headers.get('location'),
    /** Acts on the page of the processor; resolves to where the payer is sent. */
    act: async (page: string, action: string) =>
      (await send(page, { headers: FORM, body: `action=${action}` })).headers.get('location'),
    show: async (address: string) => (await fetch(address)).text(),
    stop: () => server.stop(),
  };
}

it('the shop in the guide for redirects is shown completely', () => {
  const shown = codeBlocksOf('guides/redirect-payers').map(({ code }) => code);
  expect(shown).toContain(readFileSync(SHOP, 'utf8'));
});

it('the shop in the guide for redirects sends the payer to the processor at once, shows them when they return, and fulfills the order after the webhook', async () => {
  const page = (await shop.pay('1001')) ?? '';
  expect(page).toContain('/sandbox/pay/');
  const returned = (await shop.act(page, 'pay')) ?? '';
  expect(returned).toBe(`${shop.url}/orders/1001`);
  await eventually('the order is paid', async () => (await shop.show(returned)) === 'Your order is paid.');
});

it('the shop in the guide for redirects sends a payer who declined to another page, once Tollgate has reported it', async () => {
  const page = (await shop.pay('1003')) ?? '';
  const returned = (await shop.act(page, 'decline')) ?? '';
  await eventually('there is another page', async () => (await shop.pay('1003')) !== page);
  await shop.act((await shop.pay('1003')) ?? '', 'pay');
  await eventually('the order is paid', async () => (await shop.show(returned)) === 'Your order is paid.');
});

it('the shop in the guide for redirects sends a payer who closed the page to the same page again', async () => {
  const page = (await shop.pay('1002')) ?? '';
  await shop.act(page, 'close');
  expect(await shop.pay('1002')).toBe(page);
  expect(await shop.show(`${shop.url}/orders/1002`)).toBe('We are waiting for your payment.');
});
