import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@tollgate/test-kit/eventually';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { startSteadyLoad } from '../../support/platform/steady-load.ts';
import { createWebhookEndpoint } from '../../support/platform/webhook-endpoint.ts';
import type { WebhookReceiver } from '../../support/platform/webhook-receiver.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';

const PAYMENTS_PER_SECOND = 50;
const AIM_MS = { p50: 30, p99: 150 };
/** Upper bounds of the histogram. */
const BOUNDS_MS = [10, 20, 30, 50, 100, 150, 300, 1_000];
const TIMEOUT_MS = 120_000;
const WEBHOOKS = 'webhooks';

/**
 * Creates payments through the gateway at a steady rate. The latency is the time from the creation of a payment, which it says itself,
 * to the arrival of `payment.created` at a receiver on the same machine. `--seconds 60` is the long form.
 */
export const webhookLatency: Benchmark = async ({ rounds, secondsPerRound }) => {
  const platform = await startPlatform();
  try {
    const application = await platform.createApplication();
    const { receiver } = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application, {
      eventTypes: ['payment.created'],
    });
    const measured: number[][] = [];
    // The first round warms up.
    for (let round = 0; round <= rounds; round += 1) {
      const latenciesMs = await createFor(platform, application, receiver, secondsPerRound * 1_000);
      if (round > 0) measured.push(latenciesMs);
    }
    await receiver.close();
    return [percentile('p50', 0.5, measured), percentile('p99', 0.99, measured), histogram(measured)];
  } finally {
    await platform.stop();
  }
};

/** Resolves to the latencies of all payments, in ms, lowest first. */
async function createFor(
  { baseUrl }: Platform,
  { keys }: TestApplication,
  receiver: WebhookReceiver,
  durationMs: number,
): Promise<number[]> {
  const api = apiClient(baseUrl.sandbox, keys.sandbox);
  receiver.received.length = 0;
  let created = 0;
  const load = startSteadyLoad(PAYMENTS_PER_SECOND, async () => {
    const { status } = await api.create();
    if (status !== 201) throw new Error(`The response to a creation has the status ${status}.`);
    created += 1;
  });
  await delay(durationMs);
  await load.stop();
  const [failure] = load.failures;
  if (failure) throw new Error(failure.message);
  await eventually('every payment has arrived', () => receiver.received.length >= created, {
    timeoutMs: TIMEOUT_MS,
  });
  return receiver.received
    .map(({ receivedAtMs, body }) => receivedAtMs - Date.parse(body.data.created_at))
    .toSorted((a, b) => a - b);
}

const title = `First attempt of a webhook at ${PAYMENTS_PER_SECOND} payments/s`;

function percentile(name: keyof typeof AIM_MS, share: number, measured: number[][]): Comparison {
  const at = (latencies: number[]) => latencies[Math.ceil(latencies.length * share) - 1] as number;
  return {
    title,
    figure: `${name} from the creation (ms)`,
    figures: { aim: measured.map(() => AIM_MS[name]), [WEBHOOKS]: measured.map(at) },
    baseline: 'aim',
    aim: { subject: WEBHOOKS, atMost: 1 },
  };
}

function histogram(measured: number[][]): Comparison {
  const shareUpTo = (boundMs: number) => (latencies: number[]) =>
    (100 * latencies.filter((latency) => latency <= boundMs).length) / latencies.length;
  return {
    title,
    figure: 'sent within a time (%)',
    figures: {
      all: measured.map(() => 100),
      ...Object.fromEntries(BOUNDS_MS.map((boundMs) => [`${boundMs} ms`, measured.map(shareUpTo(boundMs))])),
    },
    baseline: 'all',
  };
}
