import { readFileSync } from 'node:fs';
import { FAILURES as MOLLIE_FAILURES } from '@tollgate/adapter-mollie/failure-codes';
import { FAILURES as STRIPE_FAILURES } from '@tollgate/adapter-stripe/failure-codes';
import { PAYMENT_FAILURE_CODES } from '@tollgate/contracts/payments/payment-failure-code';
import { CANCELED_BY_PROCESSOR } from '@tollgate/payments/processing/apply-state';
import { SANDBOX_FAILURES } from '@tollgate/payments/processors/sandbox/sandbox-processor';
import { expect, it } from 'vitest';

const GUIDE = readFileSync(new URL('../../docs/guides/failure-codes.md', import.meta.url), 'utf8');

const CODES_BY_REPORTER: Record<string, readonly string[]> = {
  Tollgate: [CANCELED_BY_PROCESSOR.code],
  sandbox: [...SANDBOX_FAILURES.values()].map(({ code }) => code),
  Stripe: Object.keys(STRIPE_FAILURES),
  Mollie: Object.keys(MOLLIE_FAILURES),
};

it('the guide to failure codes lists each code once, with all that report it', () => {
  const listed = [...GUIDE.matchAll(/^\| `(\w+)` \| .+ \| ([\w, ]+) \|$/gm)].map(
    ([, code = '', reporters = '']) => [code, reporters],
  );
  const reported = PAYMENT_FAILURE_CODES.map((code) => [
    code,
    Object.keys(CODES_BY_REPORTER)
      .filter((reporter) => CODES_BY_REPORTER[reporter]?.includes(code))
      .join(', '),
  ]);
  expect(listed.toSorted()).toEqual(reported);
});
