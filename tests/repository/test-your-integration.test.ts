import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { codeBlocksOf } from '../support/platform/code-blocks.ts';

const TESTS = fileURLToPath(new URL('../../docs/examples/shop-tests.ts', import.meta.url));

it('the guide to testing shows the tests of the example completely, and they pass', async () => {
  expect(codeBlocksOf('guides/test-your-integration')[0]?.code).toBe(readFileSync(TESTS, 'utf8'));
  const run = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', TESTS]);
  expect(run.stdout).toContain('# pass 3');
});
