/*
 * Runs random commands in the server and in a naive reference implementation (test/reference) and compares the results.
 * Usage: node bench/differential.ts [cases] [seed]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInProcessServer } from '../test/differential/in-process-server.ts';
import { compareWithReference, total } from '../test/differential/run.ts';

const DEFAULT_CASES = 1_000_000;
const SHOWN_DIFFERENCES = 10;
const PROGRESS_INTERVAL_MS = 60_000;

const cases = Number(process.argv[2] ?? DEFAULT_CASES);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const folder = mkdtempSync(join(tmpdir(), 'differential-'));
const server = openInProcessServer(join(folder, 'data.db'));
const startedAt = Date.now();
let shown = 0;
let reportedAt = startedAt;

const seconds = () => Math.round((Date.now() - startedAt) / 1000);

process.stdout.write(`${cases} cases from seed ${seed}\n`);
const found = compareWithReference({
  server,
  cases,
  seed,
  onDifference(description) {
    shown += 1;
    if (shown <= SHOWN_DIFFERENCES) process.stdout.write(`\nDifference ${shown}: ${description}\n`);
  },
  onProgress(found) {
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return;
    reportedAt = Date.now();
    process.stdout.write(`${total(found)} cases, ${found.differences} differences, ${seconds()} s\n`);
  },
});
server.close();
rmSync(folder, { recursive: true });
console.table({
  ...Object.fromEntries(found.compared),
  'all kinds': total(found),
  'of them rejected by both': found.rejected,
  'left open by MongoDB, not compared': found.undetermined,
  differences: found.differences,
  seconds: seconds(),
});
if (found.differences > 0) process.exitCode = 1;
