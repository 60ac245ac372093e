import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { LauncherFailure } from '../launcher-failure.ts';
import { ensureDashboardBuild } from './dashboard-build.ts';

let checkoutDir: string;
let said: string[];

beforeEach(() => {
  checkoutDir = mkdtempSync(join(tmpdir(), 'tollgate-build-'));
  said = [];
  for (const folder of ['dashboard/src', 'dashboard/node_modules', 'packages/contracts/src/payments']) {
    mkdirSync(join(checkoutDir, folder), { recursive: true });
  }
  write('dashboard/package.json', '{}');
  write('dashboard/src/page.ts', 'one');
  write('packages/contracts/src/payments/payment.ts', 'one');
  write('package-lock.json', '{}');
  write('tsconfig.base.json', '{}');
  builder('');
});

function write(path: string, content: string): void {
  writeFileSync(join(checkoutDir, path), content);
}

/** Replaces Vite: counts its runs, empties the folder like the adapter, and builds. */
function builder(body: string): void {
  mkdirSync(join(checkoutDir, 'node_modules/vite/bin'), { recursive: true });
  write('node_modules/vite/package.json', '{}');
  write(
    'node_modules/vite/bin/vite.js',
    `const fs = require('node:fs');
     fs.appendFileSync('node_modules/runs', 'x');
     ${body}
     fs.rmSync('dist', { recursive: true, force: true });
     fs.mkdirSync('dist');
     fs.copyFileSync('src/page.ts', 'dist/page.js');`,
  );
}

const ensure = (signal?: AbortSignal) =>
  ensureDashboardBuild({
    checkoutDir,
    logPath: join(checkoutDir, 'build.log'),
    say: (line) => said.push(line),
    ...(signal && { signal }),
  });
const runs = () => {
  const path = join(checkoutDir, 'dashboard/node_modules/runs');
  return existsSync(path) ? readFileSync(path, 'utf8').length : 0;
};
const built = () => readFileSync(join(checkoutDir, 'dashboard/dist/page.js'), 'utf8');

test('the first start builds and prints it; the second one finds the build', async () => {
  await ensure();
  expect(built()).toBe('one');
  expect(said[0]).toContain('Building the dashboard');

  said = [];
  await ensure();
  expect(runs()).toBe(1);
  expect(said).toEqual([]);
});

test.each([
  'dashboard/src/page.ts',
  'dashboard/src/new-page.ts',
  'packages/contracts/src/payments/payment.ts',
  'package-lock.json',
])('a change of %s triggers a build', async (path) => {
  await ensure();
  write(path, 'two');
  await ensure();
  expect(runs()).toBe(2);
});

test('a manual build does not count as a build of these sources', async () => {
  await ensure();
  rmSync(join(checkoutDir, 'dashboard/dist'), { recursive: true });
  mkdirSync(join(checkoutDir, 'dashboard/dist'));
  write('dashboard/dist/page.js', 'half');

  await ensure();

  expect(built()).toBe('one');
});

test('concurrent launchers build once, one after the other', async () => {
  await Promise.all([ensure(), ensure(), ensure()]);
  expect(runs()).toBe(1);
  expect(said).toContain('Another start is building the dashboard; waiting for it…');
});

test('a failed build shows the name and the end of its log, and the next start tries again', async () => {
  builder(`console.error('page.ts: unexpected token'); process.exit(1);`);

  const failure = await ensure().catch((error: unknown) => error);

  expect(failure).toBeInstanceOf(LauncherFailure);
  expect(String(failure)).toContain(join(checkoutDir, 'build.log'));
  expect(String(failure)).toContain('page.ts: unexpected token');
  builder('');
  await ensure();
  expect(built()).toBe('one');
});

test('an interrupted build ends, and the next start builds again', async () => {
  builder(`fs.writeFileSync('node_modules/begun', ''); setInterval(() => undefined, 1000); return;`);
  const interrupted = new AbortController();
  const building = ensure(interrupted.signal).catch((error: unknown) => error);
  await until(() => existsSync(join(checkoutDir, 'dashboard/node_modules/begun')));
  interrupted.abort(new Error('Ctrl+C'));

  expect(await building).toEqual(new Error('Ctrl+C'));
  builder('');
  await ensure();
  expect(built()).toBe('one');
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
