import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openProcessLog, type ProcessLog } from './process-log.ts';

const MAX_BYTES = 1_000;

let folder: string;
let log: ProcessLog;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-process-log-'));
  log = openProcessLog(join(folder, 'payments.log'), { maxBytes: MAX_BYTES });
});
afterEach(() => {
  log.close();
  rmSync(folder, { recursive: true });
});

/** Writes as a process that the launcher has started. */
function write(text: string): void {
  const script = `process.stdout.write(${JSON.stringify(text)})`;
  spawnSync(process.execPath, ['--eval', script], { stdio: ['ignore', log.fileDescriptor, 'inherit'] });
}

it('the log of a process moves its content to a second file above the limit, while the process keeps writing', () => {
  const full = 'x'.repeat(MAX_BYTES);
  write(`${full}\n`);
  log.rotate();
  write('further\n');
  expect(readFileSync(log.path, 'utf8')).toBe('further\n');
  expect(readFileSync(`${log.path}.previous`, 'utf8')).toBe(`${full}\n`);
  expect(log.tail(1)).toEqual(['further']);
});

it('the log of a process stays as it is below the limit', () => {
  write('x'.repeat(MAX_BYTES));
  log.rotate();
  expect(readdirSync(folder)).toEqual(['payments.log']);
});

it('the log of a process keeps two files, however often it is rotated', () => {
  for (let times = 0; times < 4; times++) {
    write('x'.repeat(2 * MAX_BYTES));
    log.rotate();
  }
  expect(readdirSync(folder).sort()).toEqual(['payments.log', 'payments.log.previous']);
  expect(statSync(`${log.path}.previous`).size).toBe(2 * MAX_BYTES);
});

it('the log of a process is rotated when it is opened', () => {
  const path = join(folder, 'usage.log');
  writeFileSync(path, 'x'.repeat(2 * MAX_BYTES));
  openProcessLog(path, { maxBytes: MAX_BYTES }).close();
  expect(statSync(path).size).toBe(0);
});

it('the log of a process stays as it is when it cannot be copied, as on a full disk', () => {
  mkdirSync(`${log.path}.previous`);
  const full = 'x'.repeat(2 * MAX_BYTES);
  write(full);
  log.rotate();
  expect(readFileSync(log.path, 'utf8')).toBe(full);
});

it('the log of a process ends no launcher when its file can be neither read nor written', () => {
  const broken = openProcessLog(join(folder, 'audit.log'), { maxBytes: MAX_BYTES });
  closeSync(broken.fileDescriptor);
  expect(() => broken.rotate()).not.toThrow();
});
