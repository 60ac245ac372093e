import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import { describe, expect, test } from 'vitest';
import { parsePayable } from './payment-rules.ts';

const body = { amount: 100, currency: 'EUR' };
const card = '4111 1111 1111 1111';

function rejectionOf(changes: object, environment: Environment = 'live'): Problem['details'] | null {
  try {
    parsePayable({ ...body, ...changes }, environment);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.details;
    throw error;
  }
}

test.each([
  ['the smallest amount', { amount: 1 }],
  ['the largest amount', { amount: 999_999_999_999 }],
  ['a lower-case currency', { currency: 'jpy' }],
])('a payment may have %s', (_what, changes) => {
  expect(rejectionOf(changes)).toBeNull();
});

test.each([
  ['nothing', 0],
  ['a negative amount', -1],
  ['more than the largest amount', 1_000_000_000_000],
  ['an amount beyond the integers that a double holds', 1e300],
])('a payment is rejected for %s', (_what, amount) => {
  expect(rejectionOf({ amount })).toMatchObject({
    code: 'amount-out-of-range',
    errors: [{ pointer: '/amount' }],
  });
});

test.each(['XXX', 'XAU', 'DEM', 'abc'])('a payment is rejected in %s', (currency) => {
  expect(rejectionOf({ currency })).toMatchObject({
    code: 'unsupported-currency',
    errors: [{ pointer: '/currency' }],
  });
});

test.each([
  ['/purpose', { purpose: card }],
  ['/reference', { reference: card }],
  ['/payment_method', { payment_method: card }],
  ['/payer/name', { payer: { name: card } }],
  ['/payer/account', { payer: { account: card } }],
  ['/payee/email', { payee: { email: '4111111111111111@example.com' } }],
  ['/metadata', { metadata: { note: card } }],
  ['/metadata', { metadata: { [card]: 'note' } }],
])('a payment is rejected for a card number in %s, which the error does not repeat', (pointer, changes) => {
  const rejection = rejectionOf(changes);
  expect(rejection).toMatchObject({ code: 'card-data-not-allowed', errors: [{ pointer }] });
  expect(JSON.stringify(rejection)).not.toContain('1111');
});

test('a payment is rejected for a name of metadata that is no plain text', () => {
  expect(rejectionOf({ metadata: { 'no\u202ete': 'x' } })).toMatchObject({
    code: 'invalid-request',
    errors: [{ pointer: '/metadata' }],
  });
});

test('a payment with several faults is rejected for the currency first, then for the amount', () => {
  expect(rejectionOf({ currency: 'XXX', amount: 0, purpose: card })?.code).toBe('unsupported-currency');
  expect(rejectionOf({ amount: 0, purpose: card })?.code).toBe('amount-out-of-range');
});

describe('the return URL', () => {
  const rejected = { code: 'invalid-request', errors: [{ pointer: '/return_url' }] };

  test.each(['https://shop.example/orders/1', 'https://localhost:3000/'])(
    '%s is accepted in both environments',
    (return_url) => {
      expect(rejectionOf({ return_url })).toBeNull();
      expect(rejectionOf({ return_url }, 'sandbox')).toBeNull();
    },
  );

  test.each(['http://localhost:3000/done', 'http://127.0.0.1/', 'http://[::1]:8080/'])(
    '%s is accepted in the sandbox only',
    (return_url) => {
      expect(rejectionOf({ return_url }, 'sandbox')).toBeNull();
      expect(rejectionOf({ return_url })).toMatchObject(rejected);
    },
  );

  test.each([
    [
      'CJK in its path',
      'https://shop.example/注文?name=é',
      'https://shop.example/%E6%B3%A8%E6%96%87?name=%C3%A9',
    ],
    ['an internationalized host', 'https://münchen.example/done', 'https://xn--mnchen-3ya.example/done'],
    ['a scheme and host in upper case', 'HTTPS://Shop.Example', 'https://shop.example/'],
    ['a line break', 'https://shop.example/do\r\nne', 'https://shop.example/done'],
    ['a space', 'https://shop.example/order 1', 'https://shop.example/order%201'],
  ])('the return URL is stored in its normal form when it has %s', (_what, return_url, normal) => {
    expect(parsePayable({ ...body, return_url }, 'live').return_url).toBe(normal);
  });

  test('the return URL is rejected when its normal form is too long', () => {
    expect(rejectionOf({ return_url: `https://shop.example/${'é'.repeat(500)}` })).toMatchObject(rejected);
  });

  test.each([
    'https://shop.example/?pan=４２４２４２４２４２４２４２４２',
    'https://shop.example/4242\n\n\n\n424242424242',
  ])('%j is rejected for its card number', (return_url) => {
    expect(rejectionOf({ return_url })).toMatchObject({
      code: 'card-data-not-allowed',
      errors: [{ pointer: '/return_url' }],
    });
  });

  test('the return URL is rejected when it is no URL', () => {
    expect(rejectionOf({ return_url: 'https://:80' })).toMatchObject(rejected);
  });
});
