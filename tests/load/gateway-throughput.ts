import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { apiClient } from '../api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../platform/platform.ts';
import { CONNECTIONS, measure, median, pidOf, type Sample, type Target } from './measure.ts';

/**
 * Measures requests per second and latency of payments alone, of bare @fastify/http-proxy in front of it, and of the
 * gateway with all features, interleaved in one run: on a noisy machine the ratios are meaningful, and the absolute
 * figures are not. The load generator uses the same machine, so requests per second reflect the whole chain. The cost
 * of one process is its own CPU time.
 *
 * Usage: node load/gateway-throughput.ts [rounds] [seconds]
 */
const ROUNDS = Number(process.argv[2] ?? 5);
const SECONDS = Number(process.argv[3] ?? 5);
interface BareProxy {
  url: string;
  process: ChildProcess;
}

async function startBareProxy(upstream: string): Promise<BareProxy> {
  const script = fileURLToPath(new URL('bare-proxy.ts', import.meta.url));
  const child = spawn(process.execPath, [script, upstream], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(child.stdout, 'data');
  return { url: String(url).trim(), process: child };
}

function targetsOf(platform: Platform, application: TestApplication, bareProxy: BareProxy): Target[] {
  const signed: Target['headers'] = (method, path, body) =>
    platform.signedHeaders(application, 'sandbox', { method, path, body });
  return [
    {
      name: 'payments alone',
      url: platform.paymentsUrl,
      pid: pidOf(platform.processes.payments),
      headers: signed,
    },
    { name: 'bare http-proxy', url: bareProxy.url, pid: pidOf(bareProxy.process), headers: signed },
    {
      name: 'gateway',
      url: platform.baseUrl.sandbox,
      pid: pidOf(platform.processes.gateway),
      headers: () => ({ authorization: `Bearer ${application.keys.sandbox}` }),
    },
  ];
}

/** Median over the rounds, each compared with the baseline of the same round. */
function ratio(rounds: Sample[], bare: Sample[], figure: (sample: Sample) => number): string {
  return median(rounds.map((sample, index) => figure(sample) / figure(bare[index] as Sample))).toFixed(2);
}

function printTable(title: string, samples: Map<string, Sample[]>): void {
  const bare = samples.get('bare http-proxy') as Sample[];
  const rows = [...samples].map(([name, rounds]) => ({
    target: name,
    'requests/s': Math.round(median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))),
    'p50 ms': median(rounds.map(({ p50Ms }) => p50Ms)),
    'p99 ms': median(rounds.map(({ p99Ms }) => p99Ms)),
    'requests/s to bare': ratio(rounds, bare, ({ requestsPerSecond }) => requestsPerSecond),
    'CPU ms/1000': Math.round(median(rounds.map(({ cpuMsPer1000 }) => cpuMsPer1000))),
    'CPU to bare': ratio(rounds, bare, ({ cpuMsPer1000 }) => cpuMsPer1000),
  }));
  process.stdout.write(
    `\n${title}: medians of ${ROUNDS} interleaved rounds of ${SECONDS} s, ${CONNECTIONS} connections\n`,
  );
  console.table(rows);
}

// At `info`, its default level, the gateway also writes its access log.
const platform = await startPlatform({ gatewayLogLevel: 'info' });
const application = await platform.createApplication();
const { body: payment } = await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
const bareProxy = await startBareProxy(platform.paymentsUrl);
const targets = targetsOf(platform, application, bareProxy);

try {
  for (const [method, path] of [
    ['GET', `/v1/payments/${payment.id}`],
    ['POST', '/v1/payments'],
  ] as const) {
    const samples = new Map<string, Sample[]>(targets.map(({ name }) => [name, []]));
    for (const target of targets) await measure(target, method, path, SECONDS);
    for (let round = 0; round < ROUNDS; round++) {
      for (const target of targets)
        samples.get(target.name)?.push(await measure(target, method, path, SECONDS));
    }
    printTable(`${method} ${path.replace(payment.id, '{payment_id}')}`, samples);
  }
} finally {
  bareProxy.process.kill();
  await platform.stop();
}
