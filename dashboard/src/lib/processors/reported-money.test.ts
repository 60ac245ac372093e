import type { PaymentDifference } from '@tollgate/contracts/payments/payment-difference';
import { expect, it } from 'vitest';
import { reportedMoney } from './reported-money.ts';

const NONE = {
  amount: 10_000,
  currency: 'EUR',
  processor_amount: null,
  processor_currency: null,
  refunded_amount: null,
  disputed_amount: null,
};

it.each([
  [{}, []],
  [{ processor_amount: 10_000, processor_currency: 'EUR', refunded_amount: 0 }, []],
  [{ processor_amount: 100, processor_currency: 'EUR' }, ['1.00 EUR']],
  [{ processor_amount: 1, processor_currency: 'JPY' }, ['1 JPY']],
  [
    { processor_amount: 10_000, processor_currency: 'EUR', refunded_amount: 2_500, disputed_amount: 7_500 },
    ['25.00 EUR refunded', '75.00 EUR disputed'],
  ],
])('the page of a payment says of %o: %o', (reply, text) => {
  expect(reportedMoney({ ...NONE, ...reply } as PaymentDifference)).toEqual(text);
});
