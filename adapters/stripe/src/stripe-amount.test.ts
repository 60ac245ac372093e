import { CURRENCY_EXPONENTS, MAX_AMOUNT } from '@tollgate/contracts/platform/money';
import { expect, it } from 'vitest';
import { fromStripeAmount, toStripeAmount } from './stripe-amount.ts';

/** What 12 major units are at Stripe, for currencies without two decimals. Written by hand from Stripe's documentation. */
const TWELVE: Record<string, number> = {
  ...Object.fromEntries(
    'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ').map((code) => [code, 12]),
  ),
  ...Object.fromEntries('BHD JOD KWD OMR TND'.split(' ').map((code) => [code, 12_000])),
};
const NOT_SUPPORTED = ['IQD', 'LYD'];
const ALL = [...CURRENCY_EXPONENTS];

it.each(ALL)('toStripeAmount converts 12 %s, with %d decimals in ISO 4217', (currency, exponent) => {
  const expected = NOT_SUPPORTED.includes(currency) ? null : (TWELVE[currency] ?? 1_200);
  expect(toStripeAmount(12 * 10 ** exponent, currency)).toBe(expected);
});

it.each([
  ['ISK', 5, 500],
  ['UGX', 5, 500],
  ['HUF', 1_045, 1_045],
  ['TWD', 80_045, 80_045],
  ['MGA', 1_200, 12],
  ['KWD', 5_120, 5_120],
])('toStripeAmount follows the special case of %s', (currency, amount, expected) => {
  expect(toStripeAmount(amount, currency)).toBe(expected);
});

it.each([
  ['MGA', 1_201],
  ['KWD', 5_124],
  ['TND', 1],
  ['ISK', MAX_AMOUNT],
  ['UGX', 10_000_000_000],
  ['XXX', 100],
])('toStripeAmount returns null for what Stripe cannot charge exactly: %s %d', (currency, amount) => {
  expect(toStripeAmount(amount, currency)).toBeNull();
});

it('toStripeAmount accepts the largest amount of card networks', () => {
  expect(toStripeAmount(MAX_AMOUNT, 'EUR')).toBe(999_999_999_999);
  expect(toStripeAmount(9_999_999_999, 'ISK')).toBe(999_999_999_900);
});

it.each(ALL.filter(([currency]) => !NOT_SUPPORTED.includes(currency)))(
  'fromStripeAmount reads what was sent for %s, with %d decimals in ISO 4217',
  (currency, exponent) => {
    const amount = 12 * 10 ** exponent;
    expect(fromStripeAmount(toStripeAmount(amount, currency) as number, currency.toLowerCase())).toBe(amount);
  },
);

it.each([
  ['isk', 550],
  ['ugx', 1],
  ['lyd', 1_000],
  ['xxx', 100],
])('fromStripeAmount throws for what is no amount in ISO 4217: %s %d', (currency, amount) => {
  expect(() => fromStripeAmount(amount, currency)).toThrow('cannot be converted');
});
