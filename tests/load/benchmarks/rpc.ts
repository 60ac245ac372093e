import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { callRpc } from '@tollgate/bus/rpc';
import { startNats } from '@tollgate/test-kit/nats';
import type { Benchmark } from '../benchmark.ts';
import { pidOf } from '../measure.ts';
import { cpuTimeMs } from '../process-cpu.ts';
import { BARE_SUBJECT, PAYMENT, readPayment } from '../read-payment-rpc.ts';

const BARE = 'NATS request';
const RPC = 'RPC';
const CONCURRENCY = 16;
const DEADLINE_MS = 5_000;
const AIM = 1.3;

type Call = () => Promise<unknown>;

/** Figures of one round, in microseconds per call. */
interface Round {
  /** Duration of a call when calls run one after another. */
  latency: number;
  /** CPU time of caller and service, with `CONCURRENCY` calls in flight. */
  cpu: number;
}

/** Calls a service for a payment, by RPC and by a bare NATS request with the same payload. */
export const rpc: Benchmark = async ({ rounds, secondsPerRound }) => {
  const nats = await startNats();
  const server = await startServer(nats.url);
  const bus = await connectBus({ url: nats.url, name: 'benchmark' });
  try {
    const calls: Record<string, Call> = { [BARE]: () => requestBare(bus), [RPC]: () => requestRpc(bus) };
    const measured: Record<string, Round[]> = { [BARE]: [], [RPC]: [] };
    // The first round warms up both subjects.
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, call] of Object.entries(calls)) {
        const figures = await measureCalls(server, call, secondsPerRound);
        if (round > 0) measured[name]?.push(figures);
      }
    }
    const figuresOf = (figure: keyof Round) =>
      Object.fromEntries(
        Object.entries(measured).map(([name, all]) => [name, all.map((round) => round[figure])]),
      );
    const aim = { subject: RPC, atMost: AIM };
    return [
      { title: 'Call a service', figure: 'latency (µs)', figures: figuresOf('latency'), baseline: BARE, aim },
      {
        title: 'Call a service: caller and service',
        figure: 'CPU per call (µs)',
        figures: figuresOf('cpu'),
        baseline: BARE,
        aim,
      },
    ];
  } finally {
    server.disconnect();
    await bus.close();
    await nats.dispose();
  }
};

async function startServer(natsUrl: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('../rpc-server.ts', import.meta.url)), [natsUrl]);
  await once(child, 'message');
  return child;
}

async function requestBare({ nats }: Bus): Promise<unknown> {
  const text = JSON.stringify({ payment_id: PAYMENT.id });
  return (await nats.request(BARE_SUBJECT, text, { timeout: DEADLINE_MS })).json();
}

function requestRpc(bus: Bus): Promise<unknown> {
  return callRpc(bus, readPayment, { payment_id: PAYMENT.id });
}

async function measureCalls(server: ChildProcess, call: Call, seconds: number): Promise<Round> {
  const half = (seconds * 1000) / 2;
  const sequential = await callFor(half, 1, call);
  const before = cpuUs(server);
  const concurrent = await callFor(half, CONCURRENCY, call);
  return { latency: (half * 1000) / sequential, cpu: (cpuUs(server) - before) / concurrent };
}

/** CPU time that this process and the server have used so far. */
function cpuUs(server: ChildProcess): number {
  const { user, system } = process.cpuUsage();
  return user + system + cpuTimeMs(pidOf(server)) * 1000;
}

async function callFor(durationMs: number, concurrency: number, call: Call): Promise<number> {
  const endsAtMs = performance.now() + durationMs;
  let calls = 0;
  async function repeat(): Promise<void> {
    for (; performance.now() < endsAtMs; calls += 1) await call();
  }
  await Promise.all(Array.from({ length: concurrency }, repeat));
  return calls;
}
