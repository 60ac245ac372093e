/**
 * Measures whether a processor that never responds delays payments of another one: creations over HTTP, and the time from the due
 * time to the settlement. Alternates rounds with and without payments that hang, and prints the medians of the rounds' p99.
 *
 * TEST_INFRA=embedded node bench/slow-processor.ts
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { aLivePrincipal, startWithAdapter } from '../test/adapter-under-test.ts';
import { aPrincipal } from '../test/payments-under-test.ts';

const ROUNDS = 9;
const PAYMENTS = 300;
const HANGING = 200;
const POLL_MS = 5;

const { adapter, payments, stop } = await startWithAdapter({ realTime: true });
const running = await payments.app.start();
const live = aLivePrincipal();
const sandbox = aPrincipal();

async function round(isHanging: boolean): Promise<{ createMs: number; settleMs: number }> {
  adapter.fail((call) => (isHanging && call === 'start' ? 'hang' : 'none'));
  for (let index = 0; index < HANGING; index += 1) await payments.create(live, { payment_method: 'tok_1' });
  const created: number[] = [];
  const settled: number[] = [];
  for (let index = 0; index < PAYMENTS; index += 1) {
    const startedAt = performance.now();
    const { id } = await payments.create(sandbox, { payment_method: 'pm_succeed' });
    created.push(performance.now() - startedAt);
    if (index % 10 === 0) settled.push(await untilSettled(id, startedAt));
  }
  return { createMs: p99(created), settleMs: p99(settled) };
}

async function untilSettled(id: string, startedAt: number): Promise<number> {
  while ((await payments.read(sandbox, id)).status !== 'succeeded') await sleep(POLL_MS);
  return performance.now() - startedAt;
}

const p99 = (values: number[]) => percentile(values, 0.99);
const median = (values: number[]) => percentile(values, 0.5);

function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
}

const alone = [];
const beside = [];
await round(false);
for (let index = 0; index < ROUNDS; index += 1) {
  alone.push(await round(false));
  beside.push(await round(true));
}
for (const name of ['createMs', 'settleMs'] as const) {
  const [without, with_] = [alone, beside].map((rounds) => median(rounds.map((each) => each[name]))) as [
    number,
    number,
  ];
  process.stdout.write(
    `${name} p99: ${without.toFixed(1)} alone, ${with_.toFixed(1)} beside a processor that never responds, ratio ${(with_ / without).toFixed(2)}\n`,
  );
}
await running.announceDraining();
await running.stopServing();
await running.stopWorking();
await stop();
process.exit(0);
