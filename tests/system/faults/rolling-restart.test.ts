import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { adminClient } from '../../support/platform/admin-client.ts';
import { type Balancer, startBalancer } from '../../support/platform/balancer.ts';
import {
  createPaymentRequests,
  type PaymentRequests,
  wrongOrders,
} from '../../support/platform/payment-requests.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { startSteadyLoad } from '../../support/platform/steady-load.ts';
import { storedEvents } from '../../support/platform/stored-events.ts';
import { report } from '../../support/report.ts';

/** The long form, `npm run test:long`, sends 200. */
const REQUESTS_PER_SECOND = Number(process.env['RESTART_REQUESTS_PER_SECOND'] ?? 12);
/** How many instances of each service, and how many gateways, are restarted. The long form restarts all. */
const RESTARTED = Number(process.env['RESTARTED'] ?? 1);
/** Gateways and payments instances. */
const INSTANCES = Math.max(2, RESTARTED);
/** Sent before, between, and after the restarts. */
const REQUESTS_BETWEEN = REQUESTS_PER_SECOND / 2;
/** Below the limit of a member. */
const MEMBER_REQUESTS_PER_SECOND = 5;
const PROBE_INTERVAL_MS = 200;
/** Several probes, of a machine that is busy with tests. */
const DRAIN_DELAY = '2s';
/** After an instance was killed, callers may see errors for this long. */
const RECOVERY_MS = 3_000;
/** The documented order of an upgrade: readers before writers, and gateways at the end. */
const SERVICES = ['audit', 'webhooks', 'usage', 'payments', 'applications', 'accounts'] as const;

let platform: Platform;
let application: TestApplication;
let balancers: { api: Balancer; admin: Balancer };

beforeAll(async () => {
  platform = await startPlatform({
    instances: { payments: INSTANCES, accounts: 2, applications: 2, webhooks: 2, usage: 2, audit: 2 },
    gatewayEnvs: Array.from({ length: INSTANCES }, () => ({ DRAIN_DELAY })),
  });
  application = await platform.createApplication();
  const balance = (targets: string[]) => startBalancer(targets, { intervalMs: PROBE_INTERVAL_MS });
  balancers = {
    api: await balance(platform.gateways.map(({ baseUrl }) => baseUrl.sandbox)),
    admin: await balance(platform.gateways.map(({ adminUrl }) => adminUrl)),
  };
  for (const { baseUrl } of platform.gateways) {
    const api = apiClient(baseUrl.sandbox, application.keys.sandbox);
    await eventually('the gateway knows the key', async () => (await api.read('x')).status === 404);
  }
});
afterAll(async () => {
  await balancers?.api.stop();
  await balancers?.admin.stop();
  await platform?.stop();
});

/** An application that pays and reads through the balancer. */
function startPayments(orders: string) {
  const api = apiClient(balancers.api.url, application.keys.sandbox);
  const requests = createPaymentRequests(api, orders);
  return { requests, load: startSteadyLoad(REQUESTS_PER_SECOND, requests.send) };
}

/** A member who reads what each service owns. */
function startMember() {
  const member = adminClient(balancers.admin.url).as(platform.owner.session);
  const routes = [ADMIN_ROUTES.listApplications, ADMIN_ROUTES.listPayments, ADMIN_ROUTES.listEndpoints];
  return startSteadyLoad(MEMBER_REQUESTS_PER_SECOND, async (index) => {
    const { problem } = await member.call(routes[index % routes.length] as (typeof routes)[0], {});
    if (problem !== null) throw new Error(JSON.stringify(problem));
  });
}

async function requireEveryOrderOnce(requests: PaymentRequests, since: string): Promise<void> {
  expect(wrongOrders(requests, await storedEvents(platform.call, since))).toEqual([]);
}

describe('gateways behind a balancer, and several instances of every service', () => {
  it(`restart ${RESTARTED} of each, one by one, without a failed request and without a duplicate`, async () => {
    const since = new Date().toISOString();
    const { requests, load } = startPayments('restart');
    const member = startMember();
    const serve = async () => {
      await load.complete(REQUESTS_BETWEEN);
      expect([...load.failures, ...member.failures]).toEqual([]);
    };
    await serve();
    const startedAtMs = performance.now();
    for (const process of SERVICES.flatMap((name) => platform.instances[name].slice(0, RESTARTED))) {
      await process.stop();
      await serve();
      await process.start();
      await serve();
    }
    for (const { process, baseUrl, adminUrl } of platform.gateways.slice(0, RESTARTED)) {
      await process.stop();
      expect(balancers.api.healthy()).not.toContain(baseUrl.sandbox);
      await serve();
      await process.start();
      await eventually('the balancer uses it again', () => balancers.api.healthy().includes(baseUrl.sandbox));
      await eventually('members use it again', () => balancers.admin.healthy().includes(adminUrl));
    }
    const tookMs = performance.now() - startedAtMs;
    await serve();
    await load.stop();
    await member.stop();
    report(
      `rolling restart: ${load.failures.length} of ${load.completed()} requests failed, and ${member.failures.length} of ` +
        `${member.completed()} of a member, in ${Math.round(tookMs / 1_000)} s`,
    );
    expect(load.failures).toEqual([]);
    expect(member.failures).toEqual([]);
    await requireEveryOrderOnce(requests, since);
  }, 600_000);

  it(`gateways behind a balancer, and several instances of every service show no error to callers ${RECOVERY_MS / 1_000} s after a payments instance was killed`, async () => {
    const since = new Date().toISOString();
    const { requests, load } = startPayments('kill');
    await load.complete(REQUESTS_BETWEEN);
    const killedAtMs = performance.now();
    await platform.processes.payments.kill();
    await load.complete((REQUESTS_PER_SECOND * 2 * RECOVERY_MS) / 1_000);
    await load.stop();
    const lastMs = Math.max(0, ...load.failures.map(({ atMs }) => atMs - killedAtMs));
    report(
      `payments killed: ${load.failures.length} of ${load.completed()} requests failed, the last after ${Math.round(lastMs)} ms`,
    );
    expect(lastMs).toBeLessThan(RECOVERY_MS);
    await requireEveryOrderOnce(requests, since);
    await platform.processes.payments.start();
  }, 120_000);
});
