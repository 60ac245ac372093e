import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SANDBOX_PAYMENT_METHODS } from './sandbox-payment-methods.ts';

test('the guide lists the payment methods of the sandbox', () => {
  const guide = readFileSync(new URL('../../../../docs/guides/sandbox.md', import.meta.url), 'utf8');
  const listed = guide.split('\n').filter((line) => line.startsWith('| `pm_'));
  expect(listed).toEqual(
    Object.entries(SANDBOX_PAYMENT_METHODS).map(([method, what]) => `| \`${method}\` | ${what} |`),
  );
});
