import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { DATABASES } from '@tollgate/contracts/platform/databases';
import { findFreePorts } from '@tollgate/local-servers/free-ports';
import type { Platform } from '../../support/platform/platform.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { type CreatingPlatform, startCreatingPlatform } from '../creations.ts';
import type { InsertRun } from '../driver-inserts.ts';
import { CONNECTIONS, measure, pidOf } from '../measure.ts';
import { cpuTimeMs } from '../process-cpu.ts';
import { localUrl, scriptPath, scriptProgram, startProgram } from '../script-server.ts';

const DRIVER = 'MongoDB driver';
const BARE = 'bare proxy, Fastify, and driver';
const GATEWAY = 'through the gateway';

/** Figures of one round. */
interface Round {
  perSecond: number;
  /** CPU time of each process, in microseconds per creation. */
  cpu: Record<string, number>;
}

/** One way to create payments, and the processes that take part in it. */
interface Subject {
  create(seconds: number): Promise<number>;
  pids: Record<string, number>;
}

/**
 * Creates payments through gateway, payments, and store, beside a bare driver that inserts the same document with its
 * outbox entry into the same store, with the same number of requests in flight. Both have all indexes and full
 * durability. The third subject is the least stack of the same shape: a proxy, a service, and the driver that check
 * nothing.
 */
export const createPayment: Benchmark = async ({ rounds, secondsPerRound }) => {
  const creating = await startCreatingPlatform();
  const driver = await startDriver(creating.platform);
  const bare = await startBareStack(creating.platform);
  const subjects: Record<string, Subject> = {
    [DRIVER]: driverSubject(creating, driver),
    [BARE]: bare.subject,
    [GATEWAY]: gatewaySubject(creating),
  };
  const measured = Object.keys(subjects).map((name) => [name, [] as Round[]] as const);
  try {
    // The first round warms up the subjects.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, figures] of measured) {
        const figure = await measureRound(subjects[name] as Subject, secondsPerRound);
        if (round > 0) figures.push(figure);
      }
    }
    return comparisonsOf(Object.fromEntries(measured));
  } finally {
    driver.disconnect();
    await bare.stop();
    await creating.platform.stop();
  }
};

function comparisonsOf(measured: Record<string, Round[]>): Comparison[] {
  const figuresOf = (name: string, figure: (round: Round) => number | undefined) =>
    (measured[name] ?? []).map((round) => figure(round) ?? Number.NaN);
  return [
    {
      title: 'Create a payment',
      figure: 'creations/s',
      figures: perSubject((name) => figuresOf(name, ({ perSecond }) => perSecond)),
      baseline: BARE,
      aim: { subject: GATEWAY, atLeast: 0.8 },
    },
    {
      title: 'Create a payment: processes before the store',
      figure: 'CPU per creation (µs)',
      figures: {
        [DRIVER]: figuresOf(DRIVER, ({ cpu }) => cpu['driver']),
        'bare proxy': figuresOf(BARE, ({ cpu }) => cpu['proxy']),
        'bare Fastify and driver': figuresOf(BARE, ({ cpu }) => cpu['service']),
        gateway: figuresOf(GATEWAY, ({ cpu }) => cpu['gateway']),
        payments: figuresOf(GATEWAY, ({ cpu }) => cpu['payments']),
      },
      baseline: DRIVER,
    },
    {
      title: 'Create a payment: store',
      figure: 'CPU per creation (µs)',
      figures: perSubject((name) => figuresOf(name, ({ cpu }) => cpu['store'])),
      baseline: DRIVER,
    },
  ];
}

function perSubject(figures: (name: string) => number[]): Record<string, number[]> {
  return Object.fromEntries([DRIVER, BARE, GATEWAY].map((name) => [name, figures(name)]));
}

async function startDriver({ infra }: Platform): Promise<ChildProcess> {
  const child = fork(scriptPath('driver-inserts.ts'), [infra.mongodbUrl, DATABASES.payments]);
  await once(child, 'message');
  return child;
}

function driverSubject({ platform: { infra } }: CreatingPlatform, driver: ChildProcess): Subject {
  return {
    pids: { driver: pidOf(driver), store: pidOf(infra.mongodb) },
    async create(seconds) {
      const finished = once(driver, 'message');
      driver.send({ concurrency: CONNECTIONS, seconds } satisfies InsertRun);
      const [inserted] = (await finished) as [number];
      return inserted / seconds;
    },
  };
}

async function startBareStack({ infra }: Platform): Promise<{ subject: Subject; stop(): Promise<void> }> {
  const [proxyPort, servicePort] = (await findFreePorts(2)) as [number, number];
  const service = await startProgram(
    scriptProgram('bare-payments.ts', servicePort, [infra.mongodbUrl, DATABASES.payments]),
  );
  const proxy = await startProgram(
    scriptProgram('proxies/http-proxy.ts', proxyPort, [localUrl(servicePort)]),
  );
  const target = { name: BARE, url: localUrl(proxyPort), pid: pidOf(proxy), headers: {} };
  return {
    subject: {
      pids: { proxy: pidOf(proxy), service: pidOf(service), store: pidOf(infra.mongodb) },
      async create(seconds) {
        const until = { seconds };
        const { requestsPerSecond } = await measure({ target, method: 'POST', path: '/v1/payments', until });
        return requestsPerSecond;
      },
    },
    async stop() {
      await proxy.stop();
      await service.stop();
    },
  };
}

function gatewaySubject({ platform: { processes, infra }, create }: CreatingPlatform): Subject {
  const { gateway, payments } = processes;
  return {
    pids: { gateway: pidOf(gateway), payments: pidOf(payments), store: pidOf(infra.mongodb) },
    create,
  };
}

async function measureRound({ pids, create }: Subject, seconds: number): Promise<Round> {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuTimeMs(pid)] as const);
  const perSecond = await create(seconds);
  const cpu = before.map(([name, pid, beforeMs]) => [
    name,
    ((cpuTimeMs(pid) - beforeMs) * 1000) / (perSecond * seconds),
  ]);
  return { perSecond, cpu: Object.fromEntries(cpu) };
}
