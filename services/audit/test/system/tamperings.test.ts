import { collectFindings } from '@tollgate/audit-log/verify/findings';
import type { AuditHead } from '@tollgate/contracts/audit/audit-log';
import { newId } from '@tollgate/contracts/platform/ids';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHead } from '../../src/heads/head-store.ts';
import { verifyLog } from '../../src/verification/verify-log.ts';
import { anEntry, type Harness, type Service, startHarness } from '../harness.ts';
import { readStoredLog, replaceStoredLog, type StoredLog } from '../stored-log.ts';
import { rollDice, tamper } from './tamperings.ts';

/** Each entry of the list of ways twice. The long form, `npm run test:long`, has the 1,000 that the project guarantees. */
const TAMPERINGS = Number(process.env['TAMPERINGS'] ?? 34);
const SEED = Number(process.env['SEED'] ?? 1);
const RECORDS = 300;
const RECORDS_PER_HEAD = 40;

let harness: Harness;
let service: Service;
const teamId = newId('team');
const otherTeamId = newId('team');
let log: StoredLog;
let other: StoredLog;
/** The tree head that an earlier verification saw. */
let seen: AuditHead;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService({ isStarted: false });
  await writeLog(teamId, RECORDS);
  await writeLog(otherTeamId, 50);
  log = await readStoredLog(service, teamId);
  other = await readStoredLog(service, otherTeamId);
  seen = toHead(log.heads.at(-1) as StoredLog['heads'][number]);
});
afterAll(() => harness.stop());

async function writeLog(team: string, records: number): Promise<void> {
  const { app } = service;
  for (let written = 0; written < records; written += RECORDS_PER_HEAD) {
    const count = Math.min(RECORDS_PER_HEAD, records - written);
    await Promise.all(Array.from({ length: count }, () => app.context.appender.append(anEntry(team))));
    await app.signTreeHeads();
    harness.clock.advance(60_000);
  }
}

async function check(team = teamId) {
  const findings = collectFindings();
  await verifyLog(service.app.context, team, {
    progress: { records_checked: 0, records: 0, heads_checked: 0, heads: 0 },
    findings,
    seen: team === teamId ? [seen] : [],
    signal: new AbortController().signal,
  });
  return findings;
}

it('an unmodified log has no findings', async () => {
  expect((await check()).kept).toEqual([]);
  expect((await check(otherTeamId)).kept).toEqual([]);
  expect(log.nodes.length).toBeGreaterThan(0);
  expect(log.heads.length).toBeGreaterThan(5);
});

describe(`${TAMPERINGS} tamperings with stored data, from seed ${SEED}`, () => {
  it(`${TAMPERINGS} tamperings with stored data, from seed ${SEED} are all detected, and each is named`, async () => {
    const dice = rollDice(SEED);
    const unnamed: string[] = [];
    let detected = 0;
    for (let count = 0; count < TAMPERINGS; count += 1) {
      const tampering = tamper(count, log, other, dice);
      await replaceStoredLog(service, teamId, tampering.log);
      const findings = await check();
      if (findings.count > 0) detected += 1;
      if (!findings.kept.some((finding) => tampering.isNamedBy(finding))) {
        unnamed.push(`${tampering.title}: ${JSON.stringify(findings.kept.slice(0, 3))}`);
      }
      // A verification may have signed a tree head over the data it found.
      await replaceStoredLog(service, teamId, log);
    }
    process.stdout.write(
      `${detected} of ${TAMPERINGS} tamperings detected, ${TAMPERINGS - unnamed.length} named.\n`,
    );
    expect(unnamed).toEqual([]);
    expect(detected).toBe(TAMPERINGS);
    expect((await check()).kept).toEqual([]);
  }, 900_000);
});
