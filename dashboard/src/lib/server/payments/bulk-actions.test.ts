import type { PaymentRow } from '@tollgate/contracts/payments/payment-history';
import { expect, it } from 'vitest';
import { bulkChoices } from './bulk-actions.ts';

const pending = {
  id: 'pay_1',
  environment: 'sandbox',
  status: 'pending',
  processor: 'sandbox',
  cancelable: true,
  cancellation_requested_at: null,
  amount: 1_000,
  currency: 'EUR',
} as PaymentRow;
const live: PaymentRow = { ...pending, environment: 'live', processor: 'manual' };
const ended: PaymentRow = { ...pending, status: 'succeeded', cancelable: false };

const valuesOf = (...args: Parameters<typeof bulkChoices>) => bulkChoices(...args).map(({ value }) => value);

it('what a member can do to several payments includes simulation and cancellation in the sandbox, and settlement and cancellation in live', () => {
  expect(valuesOf([pending], 'developer')).toEqual(['simulate-success', 'simulate-failure', 'cancel']);
  expect(valuesOf([live], 'admin')).toEqual(['succeed', 'fail', 'cancel']);
});

it('what a member can do to several payments is nothing for payments that have ended, and for members whose role does not allow it', () => {
  expect(valuesOf([ended], 'owner')).toEqual([]);
  expect(valuesOf([pending, live], 'viewer')).toEqual([]);
});

it('what a member can do to several payments names how many payments each action changes, and their sum by currency', () => {
  const payments = [pending, { ...pending, currency: 'USD' }, pending, ended];
  const [choice] = bulkChoices(payments, 'owner');
  expect(choice?.label).toBe('Simulate success: 3 payments');
  expect(choice?.description.replaceAll(/\s/g, ' ')).toMatch(/^20.00 EUR and 10.00 USD\. /);
});
