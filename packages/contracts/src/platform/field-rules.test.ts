import { expect, it } from 'vitest';
import { CancelPaymentBody, CreatePaymentBody } from '../payments/payment.ts';
import { rulesOf } from './field-rules.ts';

it('the rules of a field are the sentences that reject its values', () => {
  expect(rulesOf(CreatePaymentBody, '/currency')).toEqual([
    'This must be a currency code of three letters, such as EUR.',
  ]);
  expect(rulesOf(CreatePaymentBody, '/payer/name')).toEqual([
    expect.stringMatching(/control|invisible|text/),
    'This must not be empty.',
    'This must have at most 140 characters.',
  ]);
  expect(rulesOf(CreatePaymentBody, '/amount')[0]).toBe('This must be a whole number.');
  expect(rulesOf(CreatePaymentBody, '/metadata/order')).toContain('This must have at most 500 characters.');
  expect(rulesOf(CancelPaymentBody, '/cancellation_reason')).toEqual([
    'This must be one of: duplicate, fraudulent, requested_by_customer, abandoned.',
  ]);
});

it('a field that the schema does not know has no rules', () => {
  expect(rulesOf(CreatePaymentBody, '/amuont')).toEqual([]);
  expect(rulesOf(CreatePaymentBody, '/currency/code')).toEqual([]);
});
