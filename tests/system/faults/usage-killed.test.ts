import { type Bus, connectBus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { createPublisher } from '@tollgate/bus/publisher';
import { createKey } from '@tollgate/contracts/applications/rpc';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { USAGE_WINDOWS_SUBJECT } from '@tollgate/contracts/platform/streams';
import { totalUsage, usageProgress } from '@tollgate/contracts/usage/rpc';
import { UsageWindow, usageWindowId } from '@tollgate/contracts/usage/usage';
import { createLogger } from '@tollgate/runtime/logger';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { report } from '../../support/report.ts';

/** The long form, `npm run test:long`, has 50,000 requests and 30 kills. */
const REQUESTS = Number(process.env['USAGE_REQUESTS'] ?? 900);
const KILLS = Number(process.env['KILLS'] ?? 3);
/** Concurrent requests. */
const CONCURRENCY = 16;
/** Used in turn: a kill affects the requests of few keys, and the counts of all others must be exact. */
const KEYS = 15;
const CREATE_EVERY = 5;
const CONVERGED_WITHIN = { timeoutMs: 120_000, intervalMs: 250 };
/** Far more than the requests need; the long run takes minutes. */
const TEST_TIMEOUT_MS = 120_000 + REQUESTS * 40;

interface KeyCount {
  id: string;
  secret: string;
  /** Authenticated requests that received a response. */
  answered: number;
  /** Requests whose connection broke before the response: they may or may not be counted. */
  unknown: number;
}

let platform: Platform;
let application: TestApplication;
let keys: KeyCount[];
let bus: Bus;

beforeAll(async () => {
  platform = await startPlatform({ gatewayEnvs: [{}, {}] });
  application = await platform.createApplication();
  keys = [];
  for (let index = 0; index < KEYS; index++) {
    const made = await platform.call(createKey, {
      application_id: application.id,
      name: `Key ${index}`,
      environment: 'sandbox',
    });
    keys.push({ id: made.id, secret: shownOnce(made.secret), answered: 0, unknown: 0 });
  }
  bus = await connectBus({ url: platform.infra.natsUrl, name: 'tests' });
});
afterAll(async () => {
  await bus?.close();
  await platform?.stop();
});

/** Sends requests until `REQUESTS` responses have arrived; calls `onAnswered` after each. */
async function sendRequests(onResponse: (answered: number) => void): Promise<void> {
  const { body: payment } = await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
  let sent = 0;
  let answered = 0;

  async function sendOne(): Promise<void> {
    const index = sent++;
    const key = keys[Math.min(KEYS - 1, Math.floor((answered * KEYS) / REQUESTS))] as KeyCount;
    const { baseUrl } = platform.gateways[index % 2] as Platform['gateways'][0];
    const api = apiClient(baseUrl.sandbox, key.secret);
    try {
      const body = { amount: 1 + (index % 1_000), currency: 'EUR', payment_method: 'pm_hold' };
      const response = await (index % CREATE_EVERY === 0 ? api.create(body) : api.read(payment.id));
      // A gateway that has just started responds 503 before it can authenticate the key, so it records no usage.
      if (!response.headers.has('ratelimit-policy')) return;
      key.answered += 1;
      answered += 1;
      onResponse(answered);
    } catch (error) {
      const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
      // A dead gateway has received nothing, and the next request goes to the other one.
      if (code !== 'ECONNREFUSED') key.unknown += 1;
    }
  }
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      while (answered < REQUESTS) await sendOne();
    }),
  );
}

/** Kills gateways, NATS and usage in turn, spread over the requests, and restarts each immediately. */
function createKiller() {
  const { gateways, infra, processes } = platform;
  const victims = [
    gateways[0]?.process,
    infra.nats,
    processes.usage,
    gateways[1]?.process,
    infra.nats,
    processes.usage,
  ];
  let kills = 0;
  let inFlight = Promise.resolve();
  return {
    killWhenDue(answered: number) {
      if (kills >= KILLS || answered < ((kills + 1) * REQUESTS) / (KILLS + 1)) return;
      const victim = victims[kills++ % victims.length];
      inFlight = inFlight.then(async () => {
        await victim?.kill();
        await victim?.start();
      });
    },
    kills: () => kills,
    done: () => inFlight,
  };
}

async function countedByKey(): Promise<Map<string | undefined, number>> {
  const { groups } = await platform.call(totalUsage, {
    from: new Date(Date.now() - 24 * 3_600_000).toISOString(),
    to: new Date(Date.now() + 24 * 3_600_000).toISOString(),
    granularity: 'day',
    application_id: application.id,
    group_by: 'key',
  });
  return new Map(groups.map(({ key_id, requests }) => [key_id, requests]));
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

/** Every distinct window of the application in the stream. */
async function windowsOfStream(requests: number): Promise<UsageWindow[]> {
  const windows = new Map<string, UsageWindow>();
  const reading = consume(bus, {
    stream: 'USAGE',
    durable: 'tests-replay',
    concurrency: 32,
    logger: createLogger({ service: 'tests', level: 'error' }),
    schema: UsageWindow,
    async handle({ body }) {
      windows.set(usageWindowId(body), body);
    },
  });
  const inWindows = () =>
    sum(
      [...windows.values()]
        .flatMap(({ rows }) => rows)
        .filter(({ application_id }) => application_id === application.id)
        .map((row) => row.requests),
    );
  await eventually('the stream has been read', () => inWindows() >= requests, CONVERGED_WITHIN);
  await reading.stop();
  return [...windows.values()];
}

describe('gateways, NATS and usage killed with SIGKILL while they handle requests', () => {
  it(
    `${KILLS} times: usage counts every completed request once, even when the whole stream is sent again`,
    async () => {
      const killer = createKiller();
      await sendRequests(killer.killWhenDue);
      await killer.done();
      const endedAt = performance.now();
      const answered = sum(keys.map((key) => key.answered));
      const unknown = sum(keys.map((key) => key.unknown));

      let counted = await countedByKey().catch(() => new Map<string, number>());
      await eventually(
        'usage has counted every completed request',
        async () => {
          counted = await countedByKey().catch(() => counted);
          return keys.every((key) => (counted.get(key.id) ?? 0) >= key.answered);
        },
        CONVERGED_WITHIN,
      ).finally(() => {
        const usage = sum(keys.map(({ id }) => counted.get(id) ?? 0));
        const exact = keys.filter((key) => key.unknown === 0).length;
        report(
          `${answered} completed, ${unknown} cut off, ${killer.kills()} kills: usage − completed = ${usage - answered}, ` +
            `${exact} of ${KEYS} keys without a cut; converged after ${Math.round(performance.now() - endedAt)} ms`,
        );
      });
      for (const key of keys) {
        const count = counted.get(key.id) ?? 0;
        expect(count).toBeGreaterThanOrEqual(key.answered);
        // A gateway can record a request and be killed before it responds.
        expect(count).toBeLessThanOrEqual(key.answered + key.unknown);
      }

      const before = sum((await countedByKey()).values());
      const windows = await windowsOfStream(before);
      const publisher = createPublisher(bus);
      for (const window of windows)
        await publisher.publish(USAGE_WINDOWS_SUBJECT, window, {
          messageId: `again ${usageWindowId(window)}`,
        });
      // A later request that is counted shows that the replayed ones were processed.
      await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).read('pay_none');
      await eventually(
        'a request after the replay is counted',
        async () => sum((await countedByKey()).values()) !== before,
        CONVERGED_WITHIN,
      );
      await eventually(
        'nothing waits',
        async () => (await platform.call(usageProgress, {})).windows_to_roll_up === 0,
        CONVERGED_WITHIN,
      );
      report(
        `${windows.length} windows sent again: ${sum((await countedByKey()).values()) - before - 1} requests counted twice`,
      );
      expect(sum((await countedByKey()).values())).toBe(before + 1);
    },
    TEST_TIMEOUT_MS,
  );
});
