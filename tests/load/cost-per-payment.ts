import { setTimeout as delay } from 'node:timers/promises';
import { connectBus } from '@tollgate/bus/connection';
import { inspectStream } from '@tollgate/bus/inspect-streams';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { STREAMS, type StreamName } from '@tollgate/contracts/platform/streams';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { eventually } from '@tollgate/test-kit/eventually';
import { apiClient } from '../support/api-client.ts';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { createWebhookEndpoint } from '../support/platform/webhook-endpoint.ts';
import { pidOf } from './measure.ts';
import { cpuTimeMs } from './process-cpu.ts';
import { memoryMb } from './process-memory.ts';

/**
 * Measures what a payment and a read cost: processor time of each process, and bytes in each database and stream. Each payment succeeds,
 * has one webhook endpoint, and carries what a shop typically sends. The processor time of the idle platform is subtracted.
 *
 * Usage: node load/cost-per-payment.ts [payments] [requests per second]
 */
const PAYMENTS = Number(process.argv[2] ?? 3_000);
const REQUESTS_PER_SECOND = Number(process.argv[3] ?? 50);
/** Created, processing, succeeded. */
const EVENTS_PER_PAYMENT = 3;
const IDLE_MS = 10_000;
/** Audit records, usage, and marks are written in batches after the response. */
const SETTLED_MS = 10_000;
const PAYMENT = {
  amount: 4_990,
  currency: 'EUR',
  payment_method: 'pm_succeed',
  reference: 'order-2026-0042',
  purpose: 'Order 42 of 3 March',
  payer: { name: 'Ada Lovelace' },
  metadata: { cart: 'c-7f3a9', channel: 'web' },
};

type Figures = Map<string, number>;

const platform = await startPlatform({ gatewayLogLevel: 'info' });
const mongodb = await connectMongoDB({
  url: platform.infra.mongodbUrl,
  database: DATABASES.payments,
  appName: 'tests',
  logger: createLogger({ service: 'tests', level: 'silent' }),
});
const bus = await connectBus({ url: platform.infra.natsUrl, name: 'tests' });
try {
  const application = await platform.createApplication();
  const { receiver } = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application);
  const api = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  const idle = await idleCpuPerMs();
  const storedBefore = await storedBytes();

  const ids: string[] = [];
  const create = await cpuOf(PAYMENTS, idle, async (index) => {
    const { status, body } = await api.create(PAYMENT, `cost-${index}`);
    if (status !== 201) throw new Error(`A payment was not created: ${JSON.stringify(body)}`);
    ids.push(body.id);
  });
  await eventually(
    'every webhook has arrived',
    () => receiver.received.length >= PAYMENTS * EVENTS_PER_PAYMENT,
    {
      timeoutMs: 600_000,
    },
  );
  const storedAfter = await storedBytes();
  const read = await cpuOf(PAYMENTS, idle, async (index) => {
    const { status } = await api.read(ids[index] as string);
    if (status !== 200) throw new Error('A payment was not found.');
  });

  process.stdout.write(`\n${PAYMENTS} payments and reads at ${REQUESTS_PER_SECOND}/s\n`);
  console.table(
    Object.entries(platform.processes).map(([name, { pid }]) => ({
      process: name,
      'CPU ms per payment': round(create.get(name)),
      'CPU ms per read': round(read.get(name)),
      'memory MB': Math.round(memoryMb(pidOf({ pid }))),
    })),
  );
  console.table(
    [...storedAfter].map(([store, bytes]) => ({
      store,
      'bytes per payment': Math.round((bytes - (storedBefore.get(store) ?? 0)) / PAYMENTS),
    })),
  );
  await receiver.close();
} finally {
  await mongodb.close();
  await bus.close();
  await platform.stop();
}

/** Milliseconds of processor time per request, by process, without what the idle platform uses. */
async function cpuOf(
  count: number,
  idlePerMs: Figures,
  send: (index: number) => Promise<void>,
): Promise<Figures> {
  const before = cpuTimes(platform);
  const startedAtMs = performance.now();
  await atRate(count, send);
  await delay(SETTLED_MS);
  const tookMs = performance.now() - startedAtMs;
  return new Map(
    [...cpuTimes(platform)].map(([name, cpuMs]) => [
      name,
      (cpuMs - (before.get(name) ?? 0) - (idlePerMs.get(name) ?? 0) * tookMs) / count,
    ]),
  );
}

async function idleCpuPerMs(): Promise<Figures> {
  const before = cpuTimes(platform);
  await delay(IDLE_MS);
  return new Map(
    [...cpuTimes(platform)].map(([name, cpuMs]) => [name, (cpuMs - (before.get(name) ?? 0)) / IDLE_MS]),
  );
}

function cpuTimes({ processes }: Platform): Figures {
  return new Map(Object.entries(processes).map(([name, { pid }]) => [name, cpuTimeMs(pidOf({ pid }))]));
}

/** Sends at a fixed rate, whatever the responses take. */
async function atRate(count: number, send: (index: number) => Promise<void>): Promise<void> {
  const startedAtMs = performance.now();
  const sent: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAtMs + (index * 1000) / REQUESTS_PER_SECOND - performance.now()));
    sent.push(send(index));
  }
  await Promise.all(sent);
}

/** Documents and their indexes in each database, and messages in each stream. */
async function storedBytes(): Promise<Figures> {
  const figures: Figures = new Map();
  for (const [service, database] of Object.entries(DATABASES)) {
    const { dataSize, indexSize } = await mongodb.getClient().db(database).stats();
    figures.set(`MongoDB ${service}, documents`, dataSize);
    figures.set(`MongoDB ${service}, indexes`, indexSize);
  }
  for (const name of Object.keys(STREAMS) as StreamName[]) {
    const status = await inspectStream(bus, name);
    figures.set(`NATS ${name}`, typeof status === 'string' ? 0 : status.bytes);
  }
  return figures;
}

function round(milliseconds = 0): number {
  return Math.round(milliseconds * 100) / 100;
}
