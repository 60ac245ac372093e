import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { printTests } from './test-failures.mjs';

const OUTPUT = `bus:test:  ✓ src/kv.test.ts
bus:test: ⎯⎯ Failed Tests 1 ⎯⎯
bus:test:  FAIL  src/rpc.test.ts
bus:test:  Test Files  1 failed | 1 passed
http:test:  ✓ src/strict-json.test.ts
http:test:  Test Files  1 passed
cli:test: ⎯⎯ Failed Suites 1 ⎯⎯
cli:test: SyntaxError: Unexpected token
cli:test:  Test Files  1 failed
tests:test: ⎯⎯ Unhandled Errors ⎯⎯
tests:test: Error: closed
tests:test:  Test Files  1 passed
`;

test('prints everything, and returns the failures of each workspace', async () => {
  let printed = '';
  const failures = await printTests(Readable.from([OUTPUT]), (text) => {
    printed += text;
  });
  expect(printed).toBe(OUTPUT);
  expect(failures).toEqual([
    'bus:test: ⎯⎯ Failed Tests 1 ⎯⎯',
    'bus:test:  FAIL  src/rpc.test.ts',
    'cli:test: ⎯⎯ Failed Suites 1 ⎯⎯',
    'cli:test: SyntaxError: Unexpected token',
    'tests:test: ⎯⎯ Unhandled Errors ⎯⎯',
    'tests:test: Error: closed',
  ]);
});

test('returns a limited number of lines', async () => {
  const output = `⎯⎯ Failed Tests 900 ⎯⎯\n${'FAIL\n'.repeat(10_000)}`;
  expect(await printTests(Readable.from([output]), () => {})).toHaveLength(300);
});
