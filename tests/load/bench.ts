import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import type { Benchmark } from './benchmark.ts';
import { createPayment } from './benchmarks/create-payment.ts';
import { benchmarkGateway } from './benchmarks/gateway.ts';
import { keyChurn } from './benchmarks/key-churn.ts';
import { paymentHistory } from './benchmarks/payment-history.ts';
import { rpc } from './benchmarks/rpc.ts';
import { webhookDeliveries } from './benchmarks/webhook-deliveries.ts';
import { webhookLatency } from './benchmarks/webhook-latency.ts';
import { comparisonTable } from './comparison-table.ts';
import { writeResults } from './performance-page.ts';
import { type RecordedRun, readRecordedRuns, recordRun } from './recorded-results.ts';

/**
 * Runs the benchmarks and prints their tables. Usage: npm run bench [-- options] [benchmark ...]
 *
 *   --rounds 5     interleaved rounds of each benchmark
 *   --seconds 3    of one subject in one round
 *   --json         prints JSON instead of Markdown
 *   --record       also writes the results to docs/performance.md and docs/performance.json
 */
const BENCHMARKS: Record<string, Benchmark> = {
  gateway: benchmarkGateway,
  'create-payment': createPayment,
  'webhook-deliveries': webhookDeliveries,
  'webhook-latency': webhookLatency,
  rpc,
  'key-churn': keyChurn,
  'payment-history': paymentHistory,
};

const { values, positionals } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const chosen = positionals.length > 0 ? positionals : Object.keys(BENCHMARKS);
const runs: RecordedRun[] = [];
for (const name of chosen) runs.push(await run(name));
if (values.json) process.stdout.write(`${JSON.stringify(runs, null, 2)}\n`);
if (values.record) {
  for (const recorded of runs) recordRun(recorded);
  writeResults(readRecordedRuns());
}

async function run(name: string): Promise<RecordedRun> {
  const measure = BENCHMARKS[name];
  if (measure === undefined) {
    throw new Error(`There is no benchmark ${name}. Choose from: ${Object.keys(BENCHMARKS).join(', ')}.`);
  }
  const comparisons = await measure({
    rounds: positiveNumber('rounds'),
    secondsPerRound: positiveNumber('seconds'),
  });
  if (!values.json) process.stdout.write(`\n${comparisonTable(comparisons)}\n`);
  return { benchmark: name, date: new Date().toISOString().slice(0, 10), machine: machine(), comparisons };
}

function positiveNumber(option: 'rounds' | 'seconds'): number {
  const value = Number(values[option]);
  if (!(value > 0)) throw new Error(`--${option} must be a positive number, not ${values[option]}.`);
  return value;
}

function machine(): string {
  const [first] = cpus();
  return `${cpus().length} cores of ${first?.model.trim() ?? 'an unknown CPU'}, Node.js ${process.versions.node}, load generator and servers on the same machine`;
}
