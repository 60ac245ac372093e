import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openUsageSpool, type UsageSpool } from './usage-spool.ts';

let parent: string;
const open: UsageSpool[] = [];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tollgate-spool-'));
});
afterEach(() => {
  for (const spool of open.splice(0)) spool.release();
  rmSync(parent, { recursive: true });
});

function openSpool(): UsageSpool {
  const spool = openUsageSpool(parent);
  open.push(spool);
  return spool;
}

function reopen(spool: UsageSpool): UsageSpool {
  spool.release();
  open.splice(open.indexOf(spool), 1);
  return openSpool();
}

function write(spool: UsageSpool, text: string): number {
  const window = spool.openNext();
  window.append(text);
  window.close();
  return window.number;
}

test('windows outlive the gateway, under the same instance and in order', () => {
  const spool = openSpool();
  const numbers = ['one\n', 'two\n'].map((text) => write(spool, text));
  // Never closed, as after SIGKILL.
  spool.openNext().append('three\n');
  const again = reopen(spool);
  expect(again.gatewayId).toBe(spool.gatewayId);
  expect(again.closedWindows()).toEqual([...numbers, 3]);
  expect(again.closedWindows().map(again.read)).toEqual(['one\n', 'two\n', 'three\n']);
});

test('a number is never used twice, even if every window was forgotten before a restart', () => {
  const spool = openSpool();
  for (const number of [write(spool, 'a\n'), write(spool, 'b\n')]) spool.forget(number);
  expect(spool.closedWindows()).toEqual([]);
  const again = reopen(spool);
  // The newest file stays and marks the last number used. Its window is stored already, and the usage service
  // recognizes its number.
  expect(again.closedWindows()).toEqual([2]);
  expect(again.openNext().number).toBe(3);
});

test('files of forgotten windows are removed', () => {
  const spool = openSpool();
  for (let index = 0; index < 50; index++) spool.forget(write(spool, 'a\n'));
  const files = readdirSync(join(parent, 'instance-1')).filter((name) => name.endsWith('.window'));
  expect(files).toHaveLength(1);
});

test('the next window opens even if the file before it cannot be removed', () => {
  const spool = openSpool();
  const number = write(spool, 'a\n');
  spool.forget(number);
  const path = join(parent, 'instance-1', '000000000001.window');
  rmSync(path);
  mkdirSync(path); // A folder cannot be unlinked.
  expect(write(spool, 'b\n')).toBe(number + 1);
  expect(spool.closedWindows()).toEqual([number, number + 1]);
});

test('gateways that share a folder are separate instances', () => {
  const [one, other] = [openSpool(), openSpool()];
  expect(one.gatewayId).not.toBe(other.gatewayId);
  write(one, 'a\n');
  expect(other.closedWindows()).toEqual([]);
});

test('a folder without a readable identity is rejected instead of getting a new one', () => {
  reopen(openSpool()).release();
  open.splice(0);
  writeFileSync(join(parent, 'instance-1', 'gateway-id'), 'garbled');
  expect(() => openUsageSpool(parent)).toThrow('does not contain a gateway ID');
});
