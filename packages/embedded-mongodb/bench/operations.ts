/*
 * Measures the CPU time of the server process per operation, next to plain node:sqlite doing the same work in a separate
 * process. 16 clients send at the same time, and the server commits 14 to 16 of their writes together; plain node:sqlite
 * commits 16. Other checkouts take turns in the same run, so that the ratios are comparable on a busy machine.
 * Usage: node bench/operations.ts [folder of another checkout ...]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMeasured } from './support/measured-server.ts';
import { opMsg } from './support/op-msg.ts';
import { createOperationMessages, OPERATIONS, type Operation } from './support/operation-messages.ts';
import type { FloorRun } from './support/operations-floor.ts';
import { INDEXES } from './support/payment-documents.ts';
import { median } from './support/run-load.ts';
import { openConnections } from './support/wire-connections.ts';

const CLIENTS = 16;
const DOCUMENTS = 20_000;
const FILLED_AT_ONCE = 500;
/** The number of operations per run, so that each run takes a few tenths of a second. */
const RUN_LENGTHS: Record<Operation, number> = { findOne: 8000, page: 1500, insert: 4000, update: 4000 };
const WARM_UP_ROUNDS = 4;
const ROUNDS = 9;
const THIS_CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
const checkouts = [...process.argv.slice(2), THIS_CHECKOUT];
const folder = mkdtempSync(join(tmpdir(), 'operations-'));

/** Runs an operation `count` times. Returns the CPU time of each in microseconds. */
interface Subject {
  name: string;
  run(operation: Operation, count: number): Promise<number>;
  stop(): Promise<void>;
}

async function startFloor(): Promise<Subject> {
  const program = fileURLToPath(new URL('./support/operations-floor.ts', import.meta.url));
  const child: ChildProcess = fork(program, [folder, String(DOCUMENTS)]);
  await once(child, 'message');
  return {
    name: 'node:sqlite',
    async run(operation, count) {
      const finished = once(child, 'message');
      child.send({ operation, count, perTransaction: CLIENTS } satisfies FloorRun);
      const [microseconds] = (await finished) as [number];
      return microseconds / count;
    },
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

async function startServer(checkout: string, at: number): Promise<Subject> {
  const server = await startMeasured(checkout, join(folder, `${at}.db`));
  const connections = await openConnections(server.port, CLIENTS);
  const messages = createOperationMessages();
  const createIndexes = opMsg({ createIndexes: 'payments', indexes: INDEXES, $db: 'bench' });
  await connections.exchange([createIndexes]);
  const fills = Array.from({ length: DOCUMENTS / FILLED_AT_ONCE }, () => messages.fill(FILLED_AT_ONCE));
  await connections.exchange(fills);
  return {
    name: `server of ${relative(process.cwd(), checkout) || '.'}`,
    async run(operation, count) {
      const toSend = Array.from({ length: count }, () => messages.next(operation));
      const before = await server.cpuTime();
      await connections.exchange(toSend);
      return ((await server.cpuTime()) - before) / count;
    },
    async stop() {
      connections.close();
      await server.stop();
    },
  };
}

const floor = await startFloor();
const servers = await Promise.all(checkouts.map(startServer));
const subjects = [floor, ...servers];

/** Returns the CPU times of each subject by round. The subjects take turns, and each is first equally often. */
async function measure(operation: Operation): Promise<number[][]> {
  const times: number[][] = subjects.map(() => []);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const at = (round + turn) % subjects.length;
      const time = await (subjects[at] as Subject).run(operation, RUN_LENGTHS[operation]);
      if (round >= WARM_UP_ROUNDS) times[at]?.push(time);
    }
  }
  return times;
}

for (const operation of OPERATIONS) {
  const times = await measure(operation);
  const rows = subjects.map(({ name }, at) => {
    const own = times[at] as number[];
    const ratios = own.map((time, round) => time / (times[0]?.[round] as number));
    return {
      [operation]: name,
      'CPU µs per operation': median(own).toFixed(1),
      'ratio to node:sqlite': median(ratios).toFixed(2),
    };
  });
  console.table(rows);
}
await Promise.all(subjects.map((subject) => subject.stop()));
rmSync(folder, { recursive: true });
