import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCreatingPlatform } from './creations.ts';
import { pidOf } from './measure.ts';
import { type Period, summarizeProfile } from './profile-summary.ts';

/**
 * Prints where gateway, payments, and the embedded store spend their time while payments are created.
 *
 * Usage: node load/profile-creations.ts [seconds]
 */
const SECONDS = Number(process.argv[2] ?? 10);
const WARM_UP_SECONDS = 3;
const LINES = 30;

const folder = await mkdtemp(join(tmpdir(), 'tollgate-profiles-'));
// Every process that this one starts inherits it.
process.env['NODE_OPTIONS'] = `--cpu-prof --cpu-prof-dir=${folder}`;
const { platform, create } = await startCreatingPlatform();
try {
  const { gateway, payments } = platform.processes;
  const pids = { gateway: pidOf(gateway), payments: pidOf(payments), store: pidOf(platform.infra.mongodb) };
  await create(WARM_UP_SECONDS);
  const fromUs = nowUs();
  const perSecond = await create(SECONDS);
  const period: Period = [fromUs, nowUs()];
  // Node writes the profile when the process ends.
  for (const server of [gateway, payments, platform.infra.mongodb]) await server.stop();
  process.stdout.write(`\n${Math.round(perSecond)} creations/s, with profiling\n`);
  for (const [name, pid] of Object.entries(pids))
    process.stdout.write(`\n${name}\n${summarizeProfile(folder, pid, period, LINES)}\n`);
} finally {
  await platform.stop();
  await rm(folder, { recursive: true });
}

function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}
