import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SANDBOX_PAYMENT_METHODS } from './sandbox-payment-methods.ts';

test('the README of payments lists the payment methods of the sandbox', () => {
  const readme = readFileSync(new URL('../../../services/payments/README.md', import.meta.url), 'utf8');
  const listed = readme.split('\n').filter((line) => line.startsWith('| `pm_'));
  expect(listed).toEqual(
    Object.entries(SANDBOX_PAYMENT_METHODS).map(([method, what]) => `| \`${method}\` | ${what} |`),
  );
});
