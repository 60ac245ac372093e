import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DATABASES } from '@tollgate/contracts/databases';
import type { Platform } from '../../platform/platform.ts';
import type { Benchmark, Comparison } from '../benchmark.ts';
import { type CreatingPlatform, startCreatingPlatform } from '../creations.ts';
import type { InsertRun } from '../driver-inserts.ts';
import { CONNECTIONS, pidOf } from '../measure.ts';
import { cpuTimeMs } from '../process-cpu.ts';

const DRIVER = 'MongoDB driver';
const GATEWAY = 'through the gateway';

/** Of one round. */
interface Round {
  perSecond: number;
  /** Of each process, in microseconds per creation. */
  cpu: Record<string, number>;
}

/**
 * Creates payments through gateway, payments, and store, beside a bare driver that inserts the same document with its
 * outbox entry into the same store, with the same number of requests in flight. Both have all indexes and full
 * durability.
 */
export const createPayment: Benchmark = async ({ rounds, secondsPerRound }) => {
  const creating = await startCreatingPlatform();
  const driver = await startDriver(creating.platform);
  try {
    const byDriver: Round[] = [];
    const byGateway: Round[] = [];
    // The first round warms up both subjects.
    for (let round = 0; round <= rounds; round += 1) {
      byDriver.push(await insertRound(creating, driver, secondsPerRound));
      byGateway.push(await createRound(creating, secondsPerRound));
    }
    return comparisonsOf(byDriver.slice(1), byGateway.slice(1));
  } finally {
    driver.disconnect();
    await creating.platform.stop();
  }
};

function comparisonsOf(byDriver: Round[], byGateway: Round[]): Comparison[] {
  const cpuOf = (rounds: Round[], name: string) => rounds.map(({ cpu }) => cpu[name] as number);
  return [
    {
      title: 'Create a payment',
      figure: 'creations/s',
      figures: {
        [DRIVER]: byDriver.map(({ perSecond }) => perSecond),
        [GATEWAY]: byGateway.map(({ perSecond }) => perSecond),
      },
      baseline: DRIVER,
      aim: { subject: GATEWAY, atLeast: 0.7 },
    },
    {
      title: 'Create a payment: processes before the store',
      figure: 'CPU per creation (µs)',
      figures: {
        [DRIVER]: cpuOf(byDriver, 'driver'),
        gateway: cpuOf(byGateway, 'gateway'),
        payments: cpuOf(byGateway, 'payments'),
      },
      baseline: DRIVER,
    },
    {
      title: 'Create a payment: store',
      figure: 'CPU per creation (µs)',
      figures: { [DRIVER]: cpuOf(byDriver, 'store'), [GATEWAY]: cpuOf(byGateway, 'store') },
      baseline: DRIVER,
    },
  ];
}

async function startDriver({ infra }: Platform): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../driver-inserts.ts', import.meta.url));
  const child = fork(script, [infra.mongodbUrl, DATABASES.payments]);
  await once(child, 'message');
  return child;
}

async function insertRound(
  { platform: { infra } }: CreatingPlatform,
  driver: ChildProcess,
  seconds: number,
): Promise<Round> {
  return measureCpu({ driver: pidOf(driver), store: pidOf(infra.mongodb) }, seconds, async () => {
    const finished = once(driver, 'message');
    driver.send({ concurrency: CONNECTIONS, seconds } satisfies InsertRun);
    const [inserted] = (await finished) as [number];
    return inserted / seconds;
  });
}

async function createRound({ platform, create }: CreatingPlatform, seconds: number): Promise<Round> {
  const { processes, infra } = platform;
  const pids = {
    gateway: pidOf(processes.gateway),
    payments: pidOf(processes.payments),
    store: pidOf(infra.mongodb),
  };
  return measureCpu(pids, seconds, () => create(seconds));
}

async function measureCpu(
  pids: Record<string, number>,
  seconds: number,
  run: () => Promise<number>,
): Promise<Round> {
  const before = Object.entries(pids).map(([name, pid]) => [name, pid, cpuTimeMs(pid)] as const);
  const perSecond = await run();
  const cpu = before.map(([name, pid, beforeMs]) => [
    name,
    ((cpuTimeMs(pid) - beforeMs) * 1000) / (perSecond * seconds),
  ]);
  return { perSecond, cpu: Object.fromEntries(cpu) };
}
