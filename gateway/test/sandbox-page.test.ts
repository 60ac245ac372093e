import { actOnSandboxPage, getSandboxPage, type SandboxPage } from '@tollgate/contracts/payments/rpc';
import { newId } from '@tollgate/contracts/platform/ids';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';
import { type Services, startServices } from './support/services.ts';

let gateway: GatewayUnderTest;
let services: Services;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  services = await startServices(gateway.bus);
});
afterAll(async () => {
  await services.stop();
  await gateway.stop();
});

async function serve(returnUrl: string): Promise<void> {
  const page: SandboxPage = {
    payment_id: newId('payment'),
    amount: 100,
    currency: 'EUR',
    purpose: null,
    status: 'succeeded',
    return_url: returnUrl,
    expires_at: '2026-01-01T00:00:00.000Z',
  };
  await services.serve(getSandboxPage, () => page);
  await services.serve(actOnSandboxPage, () => page);
}

async function send(method: 'GET' | 'POST', body?: string) {
  const response = await request(`${gateway.urls.sandbox}/sandbox/pay/token`, { method, body: body ?? null });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

test('the page sends the payer to the return URL, the only other address that its form may submit to', async () => {
  const returnUrl = 'http://localhost:3000/%E6%B3%A8%E6%96%87';
  await serve(returnUrl);
  for (const action of ['pay', 'close'])
    expect(await send('POST', `action=${action}`)).toMatchObject({
      status: 303,
      headers: { location: returnUrl },
    });
  const page = await send('GET');
  expect(page.status).toBe(200);
  expect(page.headers['content-security-policy']).toContain("form-action 'self' http://localhost:3000");
  expect(page.text).toContain(`href="${returnUrl}"`);
});
