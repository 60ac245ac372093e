/*
 * Repeatedly kills the server under 64 writers and verifies that no acknowledged write is lost.
 * Usage: node bench/durability.ts [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killUnderWriters } from '../test/support/kill-rounds.ts';

const DEFAULT_ROUNDS = 100;
const ROUNDS_BETWEEN_NEWS = 10;
const rounds = Number(process.argv[2] ?? DEFAULT_ROUNDS);
const folder = mkdtempSync(join(tmpdir(), 'durability-'));
const { acknowledgedWrites, lost, validation } = await killUnderWriters(
  join(folder, 'data.db'),
  rounds,
  (round) => {
    if ((round + 1) % ROUNDS_BETWEEN_NEWS === 0) process.stdout.write(`killed ${round + 1} times\n`);
  },
);
console.table({
  'times killed': rounds,
  'documents at the end': validation.nrecords,
  'acknowledged writes': acknowledgedWrites,
  'of them lost': lost.length,
  'indexes and documents agree': validation.valid,
});
if (lost.length > 0 || !validation.valid) {
  process.stderr.write(
    `${JSON.stringify({ lost, errors: validation.errors })}\nThe data is kept in ${folder}\n`,
  );
  process.exit(1);
}
rmSync(folder, { recursive: true });
