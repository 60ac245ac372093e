import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecordedProcesses, recordProcesses } from './process-record.ts';

const PROCESSES = [{ name: 'payments', pid: 4711, commandLine: 'node services/payments/src/main.ts' }];

let parent: string;
let original: string;

beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), 'tollgate-record-'));
  original = mkdtempSync(join(parent, 'data-'));
  await recordProcesses(join(original, 'processes.json'), original, PROCESSES);
});
afterEach(() => rmSync(parent, { recursive: true }));

const recordedIn = (folder: string) => readRecordedProcesses(join(folder, 'processes.json'), folder);

test('the processes of a killed launcher are found in its folder, also after it is renamed', async () => {
  expect(await recordedIn(original)).toEqual(PROCESSES);
  const renamed = join(parent, 'renamed');
  renameSync(original, renamed);
  expect(await recordedIn(renamed)).toEqual(PROCESSES);
});

test('a copy of a folder does not claim the processes of the original', async () => {
  const copy = join(parent, 'copy');
  cpSync(original, copy, { recursive: true });
  expect(await recordedIn(copy)).toEqual([]);
});

test('a folder without a record has no processes', async () => {
  expect(await recordedIn(mkdtempSync(join(parent, 'new-')))).toEqual([]);
});
