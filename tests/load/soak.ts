import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Platform, startPlatform } from '../support/platform/platform.ts';
import { startSteadyLoad } from '../support/platform/steady-load.ts';
import { createWebhookEndpoint } from '../support/platform/webhook-endpoint.ts';
import { KEPT_MEMORY_FOLDER } from './kept-memory.ts';
import { linePlot } from './line-plot.ts';
import { pidOf } from './measure.ts';
import { folderSize } from './soak/folder-size.ts';
import { sampleProcess } from './soak/process-sample.ts';
import { bytesPerRequest, growing, type SoakSample, soakMarkdown, trendsOf } from './soak/soak-report.ts';
import { createSoakRequests } from './soak/soak-requests.ts';

/**
 * Runs a platform under a steady load, and checks that no process keeps more memory or open files. Each process collects its garbage
 * before it is measured, and says what it keeps. Writes the samples, a
 * table, and a plot into `.artifacts/soak`.
 *
 * Usage: node load/soak.ts [minutes] [requests per second]
 */
const MINUTES = Number(process.argv[2] ?? 30);
const REQUESTS_PER_SECOND = Number(process.argv[3] ?? 50);
const SAMPLE_MS = 15_000;
/** Time for the processes to collect their garbage. */
const COLLECTED_MS = 1_000;
/** Heaps, caches, and connection pools reach their size in the first third. */
const WARM_UP_SHARE = 1 / 3;
/** A shorter run says nothing about memory: one garbage collection outweighs a leak. */
const MIN_JUDGED_MINUTES = 15;
const FOLDER = fileURLToPath(new URL('../.artifacts/soak', import.meta.url));

const keptMemoryFolder = mkdtempSync(join(tmpdir(), 'soak-'));
// Every process that this one starts inherits them.
process.env[KEPT_MEMORY_FOLDER] = keptMemoryFolder;
process.env['NODE_OPTIONS'] = `--import=${new URL('gc-on-signal.ts', import.meta.url)}`;
const platform = await startPlatform({ gatewayLogLevel: 'info' });
try {
  const { samples, failures, webhooks, created } = await soak();
  const judged = samples.filter(({ minute }) => minute >= MINUTES * WARM_UP_SHARE);
  const trends = trendsOf(judged);
  const growth = bytesPerRequest(judged);
  const table = soakMarkdown(trends, growth);
  writeReport({ samples, trends, growth, table });
  const requests = samples.at(-1)?.requests ?? 0;
  process.stdout.write(
    `${table}\n${requests} requests at ${REQUESTS_PER_SECOND}/s in ${MINUTES} minutes, ${created} payments, ${webhooks} webhooks, ${failures.length} failed requests\n`,
  );
  const findings = [...failures.slice(0, 10), ...(MINUTES < MIN_JUDGED_MINUTES ? [] : growing(trends))];
  if (MINUTES < MIN_JUDGED_MINUTES)
    process.stdout.write(`Memory is judged from ${MIN_JUDGED_MINUTES} minutes on.\n`);
  for (const finding of findings) process.stdout.write(`${finding}\n`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await platform.stop();
  rmSync(keptMemoryFolder, { recursive: true });
}

async function soak() {
  const application = await platform.createApplication();
  const { receiver } = await createWebhookEndpoint(platform.admin.as(platform.owner.session), application);
  const requests = createSoakRequests(platform, application);
  const pids = pidsOf(platform);
  const samples: SoakSample[] = [];
  let webhooks = 0;

  const load = startSteadyLoad(REQUESTS_PER_SECOND, (index) => requests.send(index));
  const startedAtMs = performance.now();
  for (let count = 1; count * SAMPLE_MS <= MINUTES * 60_000; count += 1) {
    await delay(startedAtMs + count * SAMPLE_MS - COLLECTED_MS - performance.now());
    collectGarbage(pids);
    await delay(COLLECTED_MS);
    samples.push({
      minute: (performance.now() - startedAtMs) / 60_000,
      requests: load.completed(),
      processes: Object.fromEntries(
        [...pids].map(([name, pid]) => [name, sampleProcess(pid, keptMemoryFolder)]),
      ),
      stores: storesOf(platform),
    });
    webhooks += receiver.received.length;
    receiver.received.length = 0;
  }
  await load.stop();
  await receiver.close();
  return {
    samples,
    webhooks,
    created: requests.created(),
    failures: load.failures.map(({ message }) => message),
  };
}

function pidsOf({ processes, infra }: Platform): Map<string, number> {
  const { nats, mongodb } = infra;
  return new Map(
    Object.entries({ ...processes, 'embedded MongoDB': mongodb, NATS: nats }).map(([name, server]) => [
      name,
      pidOf(server),
    ]),
  );
}

/** NATS is no Node.js process, and ignores the signal. */
function collectGarbage(pids: ReadonlyMap<string, number>): void {
  for (const pid of pids.values()) process.kill(pid, 'SIGWINCH');
}

function storesOf({ infra: { mongodb, nats }, dataDir }: Platform): Record<string, number> {
  const size = (folder: string | null) => (folder === null ? Number.NaN : folderSize(folder));
  return {
    'embedded MongoDB': size(mongodb.storeDir),
    NATS: size(nats.storeDir),
    "files of the platform's processes": size(dataDir),
  };
}

function writeReport({
  samples,
  trends,
  growth,
  table,
}: {
  samples: SoakSample[];
  trends: ReturnType<typeof trendsOf>;
  growth: Record<string, number>;
  table: string;
}): void {
  mkdirSync(FOLDER, { recursive: true });
  const run = { minutes: MINUTES, requestsPerSecond: REQUESTS_PER_SECOND };
  writeFileSync(
    join(FOLDER, 'soak.json'),
    `${JSON.stringify({ ...run, trends, bytesPerRequest: growth, samples }, null, 2)}\n`,
  );
  writeFileSync(join(FOLDER, 'soak.md'), table);
  writeFileSync(join(FOLDER, 'soak.svg'), memoryPlot(samples));
}

function memoryPlot(samples: readonly SoakSample[]): string {
  return linePlot({
    title: `Memory that each process keeps at ${REQUESTS_PER_SECOND} requests per second`,
    xLabel: 'minutes',
    yLabel: 'MB',
    series: Object.entries(samples[0]?.processes ?? {})
      .filter(([, { keptMb }]) => !Number.isNaN(keptMb))
      .map(([name]) => ({
        name,
        points: samples.map(
          ({ minute, processes }) => [minute, processes[name]?.keptMb ?? Number.NaN] as const,
        ),
      })),
  });
}
