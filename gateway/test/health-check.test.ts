import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from './support/gateway-under-test.ts';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  await gateway.settled();
});
afterAll(() => gateway.stop());

async function probe(method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  const listeners = [gateway.urls.live, gateway.urls.sandbox, gateway.adminUrl];
  return Promise.all(
    listeners.map(async (url) => {
      const { statusCode, body } = await request(`${url}/readyz`, { method });
      return { status: statusCode, text: await body.text() };
    }),
  );
}

it('every listener tells balancers whether the gateway is ready, and no reason', async () => {
  const notReady = { status: 503, text: '{"status":"not ready"}' };
  expect(await probe()).toEqual([notReady, notReady, notReady]);
  await gateway.announce('http://127.0.0.1:1');
  const ready = { status: 200, text: '{"status":"ready"}' };
  expect(await probe()).toEqual([ready, ready, ready]);
  expect((await probe('HEAD')).map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await probe('POST')).map(({ status }) => status)).toEqual([405, 405, 405]);
});

it('probes are in neither the access log nor the metrics', async () => {
  const requestsLogged = () => gateway.logged().match(/"msg":"request"/g)?.length ?? 0;
  const requestsCounted = async () =>
    (await (await fetch(`${gateway.opsUrl}/metrics`)).text()).match(/^tollgate_gateway_requests_total.*$/gm);
  const [logged, counted] = [requestsLogged(), await requestsCounted()];
  await probe();
  expect(requestsLogged()).toBe(logged);
  expect(await requestsCounted()).toEqual(counted);
});
