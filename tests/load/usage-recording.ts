import { apiClient } from '../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../support/platform/platform.ts';
import { CONNECTIONS, measure, pidOf, type Sample, type Target } from './measure.ts';
import { spreadOf } from './statistics.ts';

/**
 * Measures the cost of recording usage: two gateways with the same code and configuration in front of the same
 * payments, one with its usage module replaced by one that does nothing. They are measured in turn, so that the ratio
 * is meaningful on a noisy machine. The usage service runs on the same machine and uses a part of it.
 *
 * Usage: node load/usage-recording.ts [rounds] [seconds]
 */
const ROUNDS = Number(process.argv[2] ?? 10);
const SECONDS = Number(process.argv[3] ?? 5);

function targetsOf(platform: Platform, application: TestApplication): Target[] {
  return platform.gateways.map(({ process, baseUrl }, index) => ({
    name: index === 0 ? 'recording on' : 'recording off',
    url: baseUrl.sandbox,
    pid: pidOf(process),
    headers: { authorization: `Bearer ${application.keys.sandbox}` },
  }));
}

/** Median over the rounds of on to off, each compared within the same round. */
function ratio(on: Sample[], off: Sample[], figure: (sample: Sample) => number): string {
  return spreadOf(on.map((sample, index) => figure(sample) / figure(off[index] as Sample))).median.toFixed(3);
}

async function compare(targets: Target[], method: 'GET' | 'POST', path: string): Promise<void> {
  const samples = new Map(targets.map((target): [Target, Sample[]] => [target, []]));
  for (const target of targets) await measure({ target, method, path, until: { seconds: SECONDS } });
  for (let round = 0; round < ROUNDS; round++) {
    for (const target of round % 2 === 0 ? targets : targets.toReversed())
      samples.get(target)?.push(await measure({ target, method, path, until: { seconds: SECONDS } }));
  }
  const [on, off] = targets.map((target) => samples.get(target) as Sample[]) as [Sample[], Sample[]];
  console.table(
    [...samples].map(([{ name }, rounds]) => ({
      target: name,
      'requests/s': Math.round(spreadOf(rounds.map(({ requestsPerSecond }) => requestsPerSecond)).median),
      'p50 ms': spreadOf(rounds.map(({ p50Ms }) => p50Ms)).median,
      'p99 ms': spreadOf(rounds.map(({ p99Ms }) => p99Ms)).median,
      'CPU ms/1000': Math.round(spreadOf(rounds.map(({ cpuMsPer1000 }) => cpuMsPer1000)).median),
    })),
  );
  process.stdout.write(
    `${method}: requests/s on to off ${ratio(on, off, (sample) => sample.requestsPerSecond)}, CPU on to off ${ratio(on, off, (sample) => sample.cpuMsPer1000)}; ` +
      `medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections\n`,
  );
}

const withoutUsage = { NODE_OPTIONS: `--import=${new URL('without-usage.ts', import.meta.url)}` };
const platform = await startPlatform({ gatewayLogLevel: 'info', gatewayEnvs: [{}, withoutUsage] });
try {
  const application = await platform.createApplication();
  const { body: payment } = await apiClient(platform.baseUrl.sandbox, application.keys.sandbox).create();
  const targets = targetsOf(platform, application);
  await compare(targets, 'GET', `/v1/payments/${payment.id}`);
  await compare(targets, 'POST', '/v1/payments');
} finally {
  await platform.stop();
}
