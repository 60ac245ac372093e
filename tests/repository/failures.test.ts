import { readdirSync, readFileSync } from 'node:fs';
import { CHECKOUT_DIR } from '@tollgate/local-servers/checkout';
import { expect, it } from 'vitest';

const RUNBOOK = readFileSync(`${CHECKOUT_DIR}/docs/operating/failures.md`, 'utf8');

it('docs/operating/failures.md names every test that causes a failure, so that operators know what each failure does', () => {
  const files = readdirSync(`${CHECKOUT_DIR}/tests/system/faults`, { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts'));
  expect(tests.filter((file) => !RUNBOOK.includes(`tests/system/faults/${file}`))).toEqual([]);
});
