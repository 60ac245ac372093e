import { readFileSync } from 'node:fs';
import { ERRORS } from '@tollgate/contracts/errors';
import { PAYMENT_STATUSES } from '@tollgate/contracts/payment';
import { SCOPES } from '@tollgate/contracts/scopes';
import { describe, expect, it } from 'vitest';

const guide = (name: string) => readFileSync(new URL(`../docs/guides/${name}.md`, import.meta.url), 'utf8');

/** The first two cells of each table row that starts with code. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, first = '', second = '']) => [
    first,
    second,
  ]);
}

describe('the guides', () => {
  it('list every scope, and what it allows', () => {
    expect(rowsOf(guide('authentication'))).toEqual(
      Object.entries(SCOPES).map(([scope, { allows }]) => [scope, allows]),
    );
  });

  it('list every status of a payment', () => {
    expect(rowsOf(guide('payments')).map(([status]) => status)).toEqual([...PAYMENT_STATUSES]);
  });

  it('show an error as it is', () => {
    const example = JSON.parse(/^```json\n(.+?)^```$/ms.exec(guide('errors-and-retries'))?.[1] as string);
    const { code, title, status, retryable } = example;
    expect({ title, status, retryable }).toEqual({
      title: ERRORS['amount-out-of-range'].title,
      status: ERRORS['amount-out-of-range'].status,
      retryable: ERRORS['amount-out-of-range'].retryable,
    });
    expect([code, example.type]).toEqual([
      'amount-out-of-range',
      expect.stringMatching(/\/docs\/errors\/amount-out-of-range$/),
    ]);
  });
});
