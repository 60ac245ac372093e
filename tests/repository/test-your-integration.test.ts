import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const TESTS = fileURLToPath(new URL('../../docs/examples/shop-tests.ts', import.meta.url));

it('the tests of the example shop pass', async () => {
  const run = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', TESTS]);
  expect(run.stdout).toContain('# pass 3');
});
