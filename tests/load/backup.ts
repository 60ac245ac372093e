import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createLogger } from '@tollgate/runtime/logger';
import { connectMongoDB } from '@tollgate/store/mongodb';
import { apiClient } from '../support/api-client.ts';
import { type Installation, startInstallation } from '../support/platform/installation.ts';
import { runTollgate } from '../support/platform/run-tollgate.ts';
import { report } from '../support/report.ts';

/**
 * Measures how long payments take to create while `tollgate backup` runs and while it does not, in turn, at a steady rate.
 *
 * Usage: node load/backup.ts [MiB of data] [payments per second] [rounds]
 */
const MIB = Number(process.argv[2] ?? 500);
const PER_SECOND = Number(process.argv[3] ?? 20);
const ROUNDS = Number(process.argv[4] ?? 3);
const QUIET_MS = 10_000;
const DOCUMENT_BYTES = 1_024;
const BATCH = 1_024;

const folder = mkdtempSync(join(tmpdir(), 'tollgate-backup-load-'));
const dataDir = join(folder, 'data');
const platform = await startInstallation(dataDir);
try {
  await fill(platform);
  const quiet: number[] = [];
  const during: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    quiet.push(...(await measure(() => delay(QUIET_MS))));
    const startedMs = performance.now();
    during.push(...(await measure(() => backUp(round))));
    report(`backup ${round + 1}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
  print('no backup', quiet);
  print('during a backup', during);
} finally {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Documents beside those of the services, which no service reads. */
async function fill({ urls }: Installation): Promise<void> {
  const connection = await connectMongoDB({
    url: urls.mongodbUrlOf('payments'),
    database: 'tollgate_payments',
    appName: 'backup-load',
    logger: createLogger({ service: 'backup-load', level: 'error' }),
  });
  const filler = connection.collection('filler');
  const text = 'x'.repeat(DOCUMENT_BYTES);
  for (let batch = 0; batch < MIB; batch += 1)
    await filler.insertMany(Array.from({ length: BATCH }, () => ({ text })));
  await connection.close();
}

async function backUp(round: number): Promise<void> {
  const to = join(folder, `backup-${round}`);
  const { code, err } = await runTollgate(['backup', '--to', to], { TOLLGATE_DATA_DIR: dataDir });
  if (code !== 0) throw new Error(err);
  rmSync(to, { recursive: true });
}

/** Returns the milliseconds of each creation until `run` has ended. */
async function measure(run: () => Promise<unknown>): Promise<number[]> {
  const { sandbox } = platform;
  const api = apiClient(sandbox.baseUrl, sandbox.apiKey);
  const durations: number[] = [];
  const inFlight = new Set<Promise<void>>();
  async function create(): Promise<void> {
    const startedMs = performance.now();
    const { status } = await api.create();
    if (status !== 201) throw new Error(`A creation failed with ${status}.`);
    durations.push(performance.now() - startedMs);
  }
  const timer = setInterval(() => {
    const one: Promise<void> = create().finally(() => inFlight.delete(one));
    inFlight.add(one);
  }, 1_000 / PER_SECOND);
  try {
    await run();
  } finally {
    clearInterval(timer);
    await Promise.all(inFlight);
  }
  return durations;
}

function print(name: string, durations: number[]): void {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(0);
  report(
    `${name.padEnd(18)}${sorted.length} creations, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
  );
}
