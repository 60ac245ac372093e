import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../api-client.ts';
import { type Balancer, startBalancer } from '../platform/balancer.ts';
import { type Platform, startPlatform, type TestApplication } from '../platform/platform.ts';
import { report } from '../report.ts';

const REQUESTS_PER_SECOND = 100;
const PROBE_INTERVAL_MS = 200;
/** Several probes, of a machine that is busy with tests. */
const DRAIN_DELAY = '2s';
const REQUESTS_PER_PHASE = 100;

let platform: Platform;
let application: TestApplication;
let balancer: Balancer;

beforeAll(async () => {
  platform = await startPlatform({ gatewayEnvs: [{ DRAIN_DELAY }, { DRAIN_DELAY }] });
  application = await platform.createApplication();
  const targets = platform.gateways.map(({ baseUrl }) => baseUrl.sandbox);
  balancer = await startBalancer(targets, { intervalMs: PROBE_INTERVAL_MS });
  for (const target of targets) {
    const api = apiClient(target, application.keys.sandbox);
    await eventually('the gateway knows the key', async () => (await api.read('x')).status === 404);
  }
});
afterAll(async () => {
  await balancer?.stop();
  await platform?.stop();
});

/** Creates payments at a steady rate, without a retry. */
function startLoad() {
  const api = apiClient(balancer.url, application.keys.sandbox);
  const statuses: string[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const timer = setInterval(() => {
    const done: Promise<unknown> = api
      .create()
      .then(
        ({ status, body }) => statuses.push(status === 201 ? '201' : `${status} ${JSON.stringify(body)}`),
        (error: Error) => statuses.push(error.message),
      )
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  }, 1000 / REQUESTS_PER_SECOND);
  return {
    statuses,
    async respond(more: number) {
      const wanted = statuses.length + more;
      await eventually(`${wanted} responses`, () => statuses.length >= wanted);
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

it('gateways that are restarted one by one behind a balancer lose no request', async () => {
  const load = startLoad();
  await load.respond(REQUESTS_PER_PHASE);
  for (const { process, baseUrl } of platform.gateways) {
    await process.stop();
    expect(balancer.healthy()).not.toContain(baseUrl.sandbox);
    await load.respond(REQUESTS_PER_PHASE);
    await process.start();
    await eventually('the balancer uses it again', () => balancer.healthy().includes(baseUrl.sandbox));
    await load.respond(REQUESTS_PER_PHASE);
  }
  await load.stop();
  const failed = load.statuses.filter((status) => status !== '201');
  report(`${failed.length} of ${load.statuses.length} requests failed`);
  expect(failed).toEqual([]);
}, 120_000);
