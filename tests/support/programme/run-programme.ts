import { eventually } from '@tollgate/test-kit/eventually';
import { startBoundedLoad } from './bounded-load.ts';
import { drain } from './drain.ts';
import { createDriver, type Driver, mainKey } from './driver.ts';
import { readFinalState } from './final-state.ts';
import type { History, InjectedFault } from './history.ts';
import { judge, type Violation } from './oracle/judge.ts';
import { createPlan, type Plan } from './plan.ts';
import { writeProcessLogs } from './process-logs.ts';
import type { Fault, Programme } from './programme.ts';
import { createRandom, type Random } from './random.ts';
import { type RunLog, startRunLog } from './run-log.ts';
import type { World } from './world.ts';

/** A lease of a killed worker ends after 30 s, and retries follow. */
const MAX_CONVERGENCE_MS = Number(process.env['CONVERGENCE_MS'] ?? 90_000);
const INTERVAL_MS = 500;

export interface ProgrammeRun {
  violations: Violation[];
  /** The figures of the run, in one line. */
  summary: string;
  log: Pick<RunLog, 'path' | 'processesPath'>;
}

/** Runs a programme: load with faults, drain, judgement. */
export async function runProgramme(
  programme: Programme,
  { seed, faults: faultCount }: { seed: number; faults: number },
): Promise<ProgrammeRun> {
  const random = createRandom(seed);
  const log = startRunLog(`${programme.file}-${seed}`);
  const world = await programme.startWorld({ random: random.fork('world') });
  try {
    const plan = createPlan(random.fork('operations'), world.integrations, programme.shares);
    const driver = createDriver(world, plan, { log, concurrency: programme.concurrency ?? 1 });
    await useMainKeys(world, driver);
    const schedule = drawSchedule(programme, world, random, faultCount);
    const injected = await runFaults(programme, driver, schedule, log);

    const endedAt = performance.now();
    const resolved = await drain(world, plan, driver);
    const { history, violations } = await converge(world, plan, driver, injected);
    const drainMs = performance.now() - endedAt;
    if (violations.length > 0) writeProcessLogs(world, log.processesPath);
    return {
      violations,
      summary: summarize(programme, seed, { history, violations, resolved, drainMs }),
      log,
    };
  } finally {
    await world.stop();
  }
}

interface ScheduledFault {
  fault: Fault;
  /** It happens once so many operations are completed. */
  afterOperations: number;
}

function drawSchedule(
  { drawFault, operationsPerFault }: Programme,
  world: World,
  random: Random,
  count: number,
): ScheduledFault[] {
  return Array.from({ length: count }, (_, index) => {
    const ofFault = random.fork(`fault ${index}`);
    const afterOperations = index * operationsPerFault + ofFault.int(1, operationsPerFault);
    return { fault: drawFault(world, ofFault, index), afterOperations };
  });
}

/** Performs operations at a steady rate until every fault is over and some more operations are completed. */
async function runFaults(
  { operationsPerSecond, operationsPerFault }: Programme,
  driver: Driver,
  schedule: ScheduledFault[],
  log: RunLog,
): Promise<InjectedFault[]> {
  const injected: InjectedFault[] = [];
  const load = startBoundedLoad({ operationsPerSecond, ahead: operationsPerFault }, () => driver.next());
  try {
    for (const { fault, afterOperations } of schedule) {
      await load.complete(Math.max(0, afterOperations - load.completed()));
      const startedAt = Date.now();
      await fault.inject(load);
      const over = { name: fault.name, startedAt, endedAt: Date.now() };
      injected.push(over);
      log.write(over);
    }
    await load.complete(operationsPerFault);
  } finally {
    await load.stop();
  }
  return injected;
}

/** Waits until the gateways know the keys of the driver. */
async function useMainKeys(world: World, driver: Driver): Promise<void> {
  for (const index of world.integrations.keys()) {
    await eventually('the gateway knows the key', async () => {
      const { attempts } = await driver.perform({ kind: 'use-key', key: mainKey(index) });
      return attempts.at(-1)?.status === 404;
    });
  }
}

/** Judges until nothing is wrong, or until what is wrong has had enough time. */
async function converge(world: World, plan: Plan, driver: Driver, faults: InjectedFault[]) {
  let judged: { history: History; violations: Violation[] } | null = null;
  let failure = '';
  await eventually(
    'nothing is wrong',
    async () => {
      try {
        const history = await readHistory(world, plan, driver, faults);
        judged = { history, violations: judge(history) };
      } catch (error) {
        // Not the judgement of an earlier state, which may have been in progress.
        judged = null;
        failure = String(error);
      }
      return judged?.violations.length === 0;
    },
    { timeoutMs: MAX_CONVERGENCE_MS, intervalMs: INTERVAL_MS },
  ).catch(() => undefined);
  if (judged === null) throw new Error(`The final state could not be read: ${failure}`);
  return judged as { history: History; violations: Violation[] };
}

async function readHistory(
  world: World,
  plan: Plan,
  driver: Driver,
  faults: InjectedFault[],
): Promise<History> {
  return {
    integrations: world.integrations,
    orders: [...plan.orders.values()],
    operations: driver.operations,
    keys: driver.keys,
    faults,
    principalsMaxStalenessMs: world.principalsMaxStalenessMs,
    maxClockErrorMs: world.maxClockErrorMs,
    webhooks: [...world.receiver.received],
    charges: world.processor.charges,
    ...(await readFinalState(world)),
  };
}

function summarize(
  { name }: Programme,
  seed: number,
  run: { history: History; violations: Violation[]; resolved: number; drainMs: number },
): string {
  const { history, violations, resolved, drainMs } = run;
  const count = (...checks: string[]) => violations.filter(({ check }) => checks.includes(check)).length;
  const outcomes = Object.groupBy(history.operations, ({ outcome }) => outcome);
  return [
    `${name}: ${history.operations.length} operations`,
    `${history.faults.length} faults`,
    `${outcomes.acknowledged?.length ?? 0} acknowledged`,
    `${count('lost payment')} lost`,
    `${count('duplicated payment', 'duplicated charge')} duplicated`,
    `${resolved} unknown resolved`,
    `drained in ${(drainMs / 1_000).toFixed(1)} s`,
    `seed ${seed}`,
  ].join(', ');
}
