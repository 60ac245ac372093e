import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { LEASES_OF_FORM } from '../../support/platform/changed-sources/short-leases.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import type { PlatformProcess } from '../../support/platform/platform-process.ts';
import { storedEvents } from '../../support/platform/stored-events.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { report } from '../../support/report.ts';

/** The long form, `npm run test:long`, has 30. */
const KILLS = Number(process.env['KILLS'] ?? 3);
const CREATES_PER_SECOND = 8;
const ENDPOINTS_PER_APPLICATION = 2;
/** Deliveries of an application before its worker is killed. */
const DELIVERIES_BEFORE_KILL = 12;
/** Long enough that requests are in flight at any time. */
const RESPONSE_DELAY_MS = 50;
/** A worker's claims and its lease on an endpoint expire after 3 s, and 30 s in the long form. The rest is processing time. */
const WITHIN = { timeoutMs: 60_000 };
/** Configured, so that the number of deliveries that a kill can repeat is known. */
const AT_ONCE_PER_ENDPOINT = 5;
/** An endpoint that received a delivery this recently may have more in flight: responded to, but not recorded yet. */
const RECENTLY_MS = 1_000;

/**
 * Endpoints that a dead worker was sending to wait until its lease expires, so each kill targets its own application.
 */
interface Target {
  application: TestApplication;
  endpoints: TestEndpoint[];
}

let platform: Platform;
let targets: Target[];

beforeAll(async () => {
  platform = await startPlatform({
    instances: { webhooks: 2 },
    sourceChanges: LEASES_OF_FORM,
    webhooksEnv: { WEBHOOKS_MAX_CONCURRENCY_PER_ENDPOINT: String(AT_ONCE_PER_ENDPOINT) },
  });
  targets = [];
  for (let kill = 0; kill < KILLS; kill += 1) targets.push(await aTarget());
});
afterAll(async () => {
  await platform.stop();
  for (const { receiver } of targets.flatMap(({ endpoints }) => endpoints)) await receiver.close();
});

async function aTarget(): Promise<Target> {
  const application = await platform.createApplication();
  const owner = platform.admin.as(platform.owner.session);
  const making = Array.from({ length: ENDPOINTS_PER_APPLICATION }, async () => {
    const endpoint = await createWebhookEndpoint(owner, application);
    endpoint.receiver.respond = () => ({ delayMs: RESPONSE_DELAY_MS });
    return endpoint;
  });
  return { application, endpoints: await Promise.all(making) };
}

/** Creates payments of the current target at a steady rate until stopped. */
function startLoad(first: Target) {
  const acknowledged: string[] = [];
  const inFlight = new Set<Promise<void>>();
  let target = first;
  async function createOne({ application }: Target) {
    const { status, body } = await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
    if (status === 201) acknowledged.push(body.id);
  }
  const timer = setInterval(() => {
    const done: Promise<void> = createOne(target).finally(() => inFlight.delete(done));
    inFlight.add(done);
  }, 1000 / CREATES_PER_SECOND);
  return {
    acknowledged,
    aimAt(next: Target) {
      target = next;
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
const receivedBy = ({ endpoints }: Target) => sum(endpoints.map(({ receiver }) => receiver.received.length));
const inFlightTo = ({ endpoints }: Target) => sum(endpoints.map(({ receiver }) => receiver.inFlight()));
/** The most deliveries that can have been in flight to all endpoints, according to their receivers. */
function mostInFlight(): number {
  const from = Date.now() - RECENTLY_MS;
  const isBusy = ({ receiver }: TestEndpoint) =>
    receiver.inFlight() > 0 || (receiver.received.at(-1)?.receivedAtMs ?? 0) > from;
  return sum(targets.map(({ endpoints }) => endpoints.filter(isBusy).length * AT_ONCE_PER_ENDPOINT));
}

const idsAt = ({ receiver }: TestEndpoint) => new Set(receiver.received.map(({ id }) => id));

/**
 * Kills the workers in turn while they work, and restarts each while the other continues. Counts the deliveries in
 * flight at the kills.
 */
async function killInTurn(load: ReturnType<typeof startLoad>) {
  const starting = platform.instances.webhooks.map(() => Promise.resolve());
  let inFlight = 0;
  let atMost = 0;
  for (const [kill, target] of targets.entries()) {
    load.aimAt(target);
    const which = kill % starting.length;
    await starting[which];
    await eventually(
      'deliveries are in flight',
      () => receivedBy(target) >= DELIVERIES_BEFORE_KILL && inFlightTo(target) > 0,
      { ...WITHIN, intervalMs: 2 },
    );
    inFlight += sum(targets.map(inFlightTo));
    atMost += mostInFlight();
    const worker = platform.instances.webhooks[which] as PlatformProcess;
    await worker.kill();
    starting[which] = worker.start();
  }
  await load.stop();
  await Promise.all(starting);
  return { inFlight, atMost };
}

/** Events that payments has stored and that at least one endpoint has not received. */
async function missing(since: string): Promise<string[]> {
  const events = await storedEvents(platform.call, since);
  return targets.flatMap(({ application, endpoints }) => {
    const owed = events.filter(({ application_id }) => application_id === application.id);
    return endpoints.flatMap((endpoint) => {
      const got = idsAt(endpoint);
      return owed.filter(({ id }) => !got.has(id)).map(({ id }) => `${id} at ${endpoint.id}`);
    });
  });
}

async function isAnythingPending(): Promise<boolean> {
  const owner = platform.admin.as(platform.owner.session);
  const { body } = await owner.call(ADMIN_ROUTES.listDeliveries, { status: 'pending', limit: 1 });
  return body.data.length > 0;
}

describe('webhook workers killed with SIGKILL while payments are created', () => {
  it(`${KILLS} times, one of two: every event reaches every endpoint once their leases have expired, repeated only byte for byte`, async () => {
    const since = new Date().toISOString();
    const load = startLoad(targets[0] as Target);
    const { inFlight, atMost } = await killInTurn(load);
    const returnedAt = performance.now();
    await eventually(
      'everything is delivered and recorded',
      async () => !(await isAnythingPending()) && (await missing(since)).length === 0,
      { ...WITHIN, intervalMs: 250 },
    ).catch(async (error: Error) => {
      throw new Error(`${error.message} Missing: ${(await missing(since)).join(', ')}`);
    });
    const recoveryMs = performance.now() - returnedAt;

    const events = await storedEvents(platform.call, since);
    const succeeded = events.filter(({ type }) => type === 'payment.succeeded');
    expect(new Set(succeeded.map(({ data }) => data.id))).toEqual(new Set(load.acknowledged));
    expect(events).toHaveLength(3 * load.acknowledged.length);

    let repeats = 0;
    for (const { receiver } of targets.flatMap(({ endpoints }) => endpoints)) {
      expect(receiver.rejected).toEqual([]);
      const bodies = new Map<string, Buffer>();
      for (const { id, rawBody } of receiver.received) {
        if (bodies.has(id)) repeats += 1;
        expect(rawBody.equals(bodies.get(id) ?? rawBody)).toBe(true);
        bodies.set(id, rawBody);
      }
    }
    report(
      `${KILLS} kills with ${inFlight} requests in flight: ${load.acknowledged.length} payments, ${events.length * ENDPOINTS_PER_APPLICATION} deliveries, ${repeats} of at most ${atMost} repeated, all settled ${Math.round(recoveryMs)} ms after the last return`,
    );
    expect(inFlight).toBeGreaterThan(0);
    expect(repeats).toBeLessThanOrEqual(atMost);
  }, 240_000);
});
