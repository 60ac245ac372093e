import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createPublisher, type Publisher } from '@tollgate/bus/publisher';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventSubject } from '@tollgate/contracts/platform/streams';
import { findFreePort } from '@tollgate/local-servers/free-ports';
import { type ChildServer, startChildServer } from '@tollgate/test-kit/child-server';
import { eventually } from '@tollgate/test-kit/eventually';
import { anEvent, type Harness, type Service, startHarness } from '@tollgate/webhooks/test/harness';
import type { BareSending } from '../bare-webhook-sender.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { pidOf } from '../measure.ts';
import { cpuTimeMs } from '../process-cpu.ts';

/** A company's teams, applications of each, and one endpoint of each application. */
const TEAMS = 4;
const ENDPOINTS = 100;
/** The default of `WEBHOOKS_CONCURRENCY`. */
const CONCURRENCY = 100;
/** Deliveries per second of a round, about as many as are possible. */
const DELIVERIES_PER_SECOND = { webhooks: 3_000, stored: 6_000, bare: 15_000 };
/** Events that wait for the confirmation of the stream together. */
const PUBLISHED_AT_ONCE = 500;
const TIMEOUT_MS = 120_000;

const MAIN = new URL('../../../services/webhooks/src/main.ts', import.meta.url);
const RECEIVER = new URL('../webhook-receiver.ts', import.meta.url);
const BARE_SENDER = new URL('../bare-webhook-sender.ts', import.meta.url);

const BARE = 'undici and HMAC';
/** The least that loses no delivery when a process ends. */
const STORED = 'undici, HMAC, and two writes';

/** What one subject did in one round. */
interface Sample {
  perSecond: number;
  /** Figures by process. */
  cpuPerDeliveryUs: Record<string, number>;
}

type Samples = Record<'webhooks' | 'stored' | 'bare', Sample[]>;

interface Target {
  harness: Harness;
  worker: ChildServer;
  receiver: ChildProcess;
  publisher: Publisher;
  connection: Service['connection'];
  storePid: number;
  applications: { teamId: string; id: string }[];
}

/**
 * Events that are in the stream already become deliveries to 100 endpoints, by a webhooks process with the embedded
 * store, beside undici and HMAC in a process that stores nothing. Both send to the same process.
 */
export const webhookDeliveries: Benchmark = async ({ rounds, secondsPerRound }) => {
  const receiver = fork(RECEIVER);
  const [url] = (await once(receiver, 'message')) as [string];
  const harness = await startHarness();
  const bareSender = fork(BARE_SENDER, [String(CONCURRENCY)]);
  const storingSender = fork(BARE_SENDER, [
    String(CONCURRENCY),
    harness.processEnv['MONGODB_URL'] as string,
    DATABASES.webhooks,
  ]);
  let worker: ChildServer | undefined;
  try {
    // It creates the indexes, and serves nothing but the calls below.
    const idle = await harness.startService();
    const applications = await createEndpoints(harness, url);
    await idle.stop();
    worker = await startWorker(harness);
    const { connection } = await harness.startService({ isStarted: false });
    const status = await connection.db?.command({ serverStatus: 1 });
    const target: Target = {
      harness,
      worker,
      receiver,
      publisher: createPublisher(harness.client),
      connection,
      storePid: status?.['pid'],
      applications,
    };
    const samples: Samples = { webhooks: [], stored: [], bare: [] };
    // One more, in which connections are opened and code is compiled.
    for (let round = 0; round <= rounds; round += 1) {
      const webhooks = await deliver(target, secondsPerRound * DELIVERIES_PER_SECOND.webhooks);
      const sending = { url: `${url}/bare`, body: JSON.stringify(anEventOf(applications, round).data) };
      const stored = await sendBare({
        sender: storingSender,
        receiver,
        sending: { ...sending, count: secondsPerRound * DELIVERIES_PER_SECOND.stored },
        storePid: target.storePid,
      });
      const bare = await sendBare({
        sender: bareSender,
        receiver,
        sending: { ...sending, count: secondsPerRound * DELIVERIES_PER_SECOND.bare },
        storePid: target.storePid,
      });
      if (round === 0) continue;
      samples.webhooks.push(webhooks);
      samples.stored.push(stored);
      samples.bare.push(bare);
    }
    return comparisonsOf(samples);
  } finally {
    bareSender.kill();
    storingSender.kill();
    await worker?.stop();
    await harness.stop();
    receiver.kill();
  }
};

async function createEndpoints(harness: Harness, url: string): Promise<Target['applications']> {
  const teamIds = Array.from({ length: TEAMS }, () => newId('team'));
  return Promise.all(
    Array.from({ length: ENDPOINTS }, async (_, index) => {
      const application = await harness.anApplication(teamIds[index % TEAMS]);
      await harness.anEndpoint(application, `${url}/${index}`);
      return application;
    }),
  );
}

async function startWorker({ processEnv }: Harness): Promise<ChildServer> {
  const opsPort = await findFreePort();
  const readiness = `http://127.0.0.1:${opsPort}/readyz`;
  return startChildServer({
    name: 'webhooks',
    command: process.execPath,
    args: [MAIN.pathname],
    env: {
      ...process.env,
      ...processEnv,
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'warn',
      WEBHOOKS_CONCURRENCY: String(CONCURRENCY),
    },
    isReady: () =>
      fetch(readiness).then(
        ({ ok }) => ok,
        () => false,
      ),
    timeoutMs: TIMEOUT_MS,
  });
}

/** Publishes the events while the worker is suspended, so that publishing takes no time from it, and resumes it. */
async function deliver(target: Target, count: number): Promise<Sample> {
  const { worker, receiver, storePid } = target;
  const workerPid = pidOf(worker);
  process.kill(workerPid, 'SIGSTOP');
  await publish(target, count);
  const before = { webhooks: cpuTimeMs(workerPid), store: cpuTimeMs(storePid) };
  const arrived = arrival(receiver, count);
  const startedAt = now();
  process.kill(workerPid, 'SIGCONT');
  const tookS = ((await arrived) - startedAt) / 1000;
  const unsettled = { next_attempt_at: { $gt: new Date(0) } };
  await eventually(
    'every delivery is recorded',
    async () => (await target.connection.collection('deliveries').findOne(unsettled)) === null,
    { timeoutMs: TIMEOUT_MS, intervalMs: 20 },
  );
  return {
    perSecond: count / tookS,
    cpuPerDeliveryUs: {
      webhooks: ((cpuTimeMs(workerPid) - before.webhooks) * 1000) / count,
      store: ((cpuTimeMs(storePid) - before.store) * 1000) / count,
    },
  };
}

async function publish({ harness, publisher, applications }: Target, count: number): Promise<void> {
  const { signers } = harness.issuerKeys;
  for (let published = 0; published < count; published += PUBLISHED_AT_ONCE) {
    const events = Array.from({ length: Math.min(PUBLISHED_AT_ONCE, count - published) }, (_, index) =>
      anEventOf(applications, published + index),
    );
    // As the outbox of payments signs them under load.
    const signed = signers.payments.signTogether('payment_event', events);
    await Promise.all(
      signed.map((event) => publisher.publish(eventSubject(event.type), event, { messageId: event.id })),
    );
  }
}

/** The first event of a new payment: a later one would wait for its predecessor before it gets its place in the feed. */
function anEventOf(applications: Target['applications'], index: number): PaymentEvent {
  const application = applications[index % applications.length] as Target['applications'][number];
  return anEvent(application, { type: 'payment.created' });
}

async function sendBare({
  sender,
  receiver,
  sending,
  storePid,
}: {
  sender: ChildProcess;
  receiver: ChildProcess;
  sending: BareSending;
  storePid: number;
}): Promise<Sample> {
  const { count } = sending;
  const pid = pidOf(sender);
  const before = { sender: cpuTimeMs(pid), store: cpuTimeMs(storePid) };
  const arrived = arrival(receiver, count);
  const startedAt = now();
  sender.send(sending);
  const tookS = ((await arrived) - startedAt) / 1000;
  return {
    perSecond: count / tookS,
    cpuPerDeliveryUs: {
      sender: ((cpuTimeMs(pid) - before.sender) * 1000) / count,
      store: ((cpuTimeMs(storePid) - before.store) * 1000) / count,
    },
  };
}

/** Resolves to the time at which the receiver has received this many requests, in ms since the epoch. */
async function arrival(receiver: ChildProcess, count: number): Promise<number> {
  receiver.send(count);
  const [at] = (await once(receiver, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [number];
  return at;
}

const now = () => performance.timeOrigin + performance.now();

function comparisonsOf({ webhooks, stored, bare }: Samples): Comparison[] {
  const title = `Deliver webhooks to ${ENDPOINTS} endpoints`;
  const perSecondOf = (samples: Sample[]) => samples.map(({ perSecond }) => perSecond);
  const cpuOf = (samples: Sample[], name: string) =>
    samples.map(({ cpuPerDeliveryUs }) => cpuPerDeliveryUs[name] as number);
  return [
    {
      title,
      figure: 'deliveries per second',
      figures: {
        webhooks: perSecondOf(webhooks),
        [STORED]: perSecondOf(stored),
        [BARE]: perSecondOf(bare),
      },
      baseline: STORED,
      aim: { subject: 'webhooks', atLeast: 0.5 },
    },
    {
      title,
      figure: 'CPU per delivery (µs)',
      figures: {
        webhooks: cpuOf(webhooks, 'webhooks'),
        'its store': cpuOf(webhooks, 'store'),
        [STORED]: cpuOf(stored, 'sender'),
        'their store': cpuOf(stored, 'store'),
        [BARE]: cpuOf(bare, 'sender'),
      },
      baseline: STORED,
    },
  ];
}
