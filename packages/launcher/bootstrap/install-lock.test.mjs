import { mkdirSync, mkdtempSync, readdirSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { withInstallLock } from './install-lock.mjs';

let folder;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tollgate-lock-')), '.cache');
});

test('installs of the same checkout run one at a time', async () => {
  let running = 0;
  let most = 0;
  const install = () =>
    withInstallLock(folder, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    });

  await Promise.all([install(), install(), install()]);

  expect(most).toBe(1);
  expect(readdirSync(folder)).toEqual([]);
});

test('only one process takes over the lock of a killed install', async () => {
  const lock = join(folder, 'install.lock');
  mkdirSync(lock, { recursive: true });
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  const order = [];
  const install = (name) =>
    withInstallLock(folder, async () => {
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    });

  await Promise.all([install('a'), install('b')]);

  expect(order.filter((_, index) => index % 2 === 1)).toEqual(
    order.filter((_, index) => index % 2 === 0).map((line) => line.replace('begins', 'ends')),
  );
});

test('another install can run after one failed', async () => {
  await expect(withInstallLock(folder, () => Promise.reject(new Error('no network')))).rejects.toThrow(
    'no network',
  );
  await withInstallLock(folder, async () => undefined);
});
