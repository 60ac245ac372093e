import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { summarizeTests } from './test-summary.mjs';

let root;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'tollgate-test-summary-'));
});
afterEach(() => rm(root, { recursive: true }));

/** Writes a file as `turbo run --summarize` does. */
async function writeRun(name, startTime, tasks) {
  const folder = join(root, '.turbo', 'runs');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.json`), JSON.stringify({ execution: { startTime }, tasks }));
}
const task = (name, seconds, { exitCode = 0, status = 'MISS' } = {}) => ({
  package: name,
  cache: { status },
  execution: { startTime: 1000, endTime: 1000 + seconds * 1000, exitCode },
});

test('lists the workspaces of both runs, the slowest first, with failed and cached ones', async () => {
  await writeRun('first', 1000, [task('http', 1.25), task('contracts', 0.1, { status: 'HIT' })]);
  await writeRun('second', 2000, [task('tests', 300, { exitCode: 1 })]);
  expect(await summarizeTests(root, 1000)).toEqual([
    '  300.0 s  tests                       FAILED',
    '    1.3 s  http',
    '    0.1 s  contracts                   cached',
  ]);
});

test('omits earlier runs, and workspaces that turbo did not reach', async () => {
  await writeRun('earlier', 999, [task('http', 1)]);
  await writeRun('this', 1000, [{ package: 'bus', cache: { status: 'MISS' } }]);
  expect(await summarizeTests(root, 1000)).toEqual([]);
});

test('is empty when turbo wrote nothing', async () => {
  expect(await summarizeTests(root, 0)).toEqual([]);
});
