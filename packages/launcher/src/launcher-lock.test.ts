import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockDataDir } from './launcher-lock.ts';

const lockPath = () => join(mkdtempSync(join(tmpdir(), 'tollgate-lock-')), 'launcher.lock');

/** Holds the lock in another process. */
async function holdInAnotherProcess(path: string) {
  const script = `
    const { lockDataDir } = await import(${JSON.stringify(join(import.meta.dirname, 'launcher-lock.ts'))});
    globalThis.held = lockDataDir(${JSON.stringify(path)}, 'data');
    process.stdout.write('held');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a second launcher on the same folder is rejected with the process that holds the lock', async () => {
  const path = lockPath();
  const holder = await holdInAnotherProcess(path);

  expect(() => lockDataDir(path, 'data')).toThrow(
    `Tollgate is already running on data (launcher process ${holder.pid})`,
  );

  holder.kill('SIGKILL');
});

test('a launcher that is killed with SIGKILL leaves no lock behind', async () => {
  const path = lockPath();
  const holder = await holdInAnotherProcess(path);
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  lockDataDir(path, 'data').release();
});
