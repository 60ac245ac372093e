import type { PaymentTotal } from '@tollgate/contracts/payments/payment-history';
import { expect, test } from 'vitest';
import { countOfStatus, describeTotals } from './payment-totals.ts';

const failed: PaymentTotal = {
  status: 'failed',
  payments: 2,
  amounts: [{ currency: 'EUR', payments: 2, amount: 25_980 }],
  is_complete: true,
};
const succeeded: PaymentTotal = {
  status: 'succeeded',
  payments: 1_000,
  amounts: [
    { currency: 'EUR', payments: 600, amount: 100_000 },
    { currency: 'USD', payments: 400, amount: 500 },
  ],
  is_complete: true,
};
const none: PaymentTotal = { status: 'canceled', payments: 0, amounts: [], is_complete: true };

test('totals name the outcome of every amount, succeeded payments first', () => {
  expect(describeTotals([failed, none, succeeded], '')).toEqual([
    'Succeeded: 1,000.00 EUR and 5.00 USD (1,000 payments)',
    'Failed: 259.80 EUR (2 payments)',
  ]);
  expect(describeTotals([failed, none, succeeded], 'failed')).toEqual(['Failed: 259.80 EUR (2 payments)']);
  expect(describeTotals([none], '')).toEqual([]);
});

test('totals that do not count every payment say so', () => {
  const some = [{ ...failed, is_complete: false }];
  expect(describeTotals(some, '')).toEqual([
    'Failed: 259.80 EUR (2 payments)',
    'With this search, totals count the newest 1,000 payments only',
  ]);
  expect(countOfStatus(some, '')).toBe('2+');
});
