import { readFileSync } from 'node:fs';
import { readRejection } from '@tollgate/processor-adapter/contract/read-state';
import { expect, it } from 'vitest';
import {
  FAILURE_REASONS,
  FAILURES,
  failureOfField,
  failureOfReason,
  REJECTED_FIELDS,
} from './failure-codes.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

it.each([
  ['reason at Mollie', FAILURE_REASONS],
  ["field in Mollie's error", REJECTED_FIELDS],
])('failure codes are listed in the table "%s" of the README', (title, table) => {
  expect(rowsOf(title)).toEqual(table);
});

it('failure codes are all in the README, and match the contract', () => {
  for (const [code, message] of Object.entries(FAILURES)) {
    expect(README).toContain(`\`${code}\``);
    expect(() => readRejection(JSON.stringify({ failure: { code, message } }))).not.toThrow();
  }
});

it('failure codes have a code for every reason and field', () => {
  expect(failureOfReason('new_reason').code).toBe('payment_failed');
  expect(failureOfReason(null).code).toBe('payment_failed');
  expect(failureOfField('amount.currency', '').code).toBe('amount_not_accepted');
  expect(failureOfField('toString', '').code).toBe('payment_not_accepted');
  expect(failureOfField(undefined, '').code).toBe('payment_not_accepted');
});

it('failure codes have a message that fits the contract, however long the explanation of Mollie is', () => {
  const failure = failureOfField('amount', 'x'.repeat(1_000));

  expect(() => readRejection(JSON.stringify({ failure }))).not.toThrow();
});

/** A table of the README whose rows have a code and the names that become it. */
function rowsOf(title: string): Record<string, string> {
  const table = README.split(`| code | ${title} |`)[1]?.split('\n\n')[0] ?? '';
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)];
  return Object.fromEntries(
    rows.flatMap(([, code, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [name, code])),
  );
}
