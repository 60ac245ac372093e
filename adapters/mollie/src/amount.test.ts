import { CURRENCY_EXPONENTS, MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/platform/money';
import { expect, it } from 'vitest';
import { fromMollieAmount, toMollieAmount } from './amount.ts';

const VALUES: Record<number, [number, string][]> = {
  0: [
    [MIN_AMOUNT, '1'],
    [100, '100'],
    [MAX_AMOUNT, '999999999999'],
  ],
  2: [
    [MIN_AMOUNT, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [1999, '19.99'],
    [MAX_AMOUNT, '9999999999.99'],
  ],
  3: [
    [MIN_AMOUNT, '0.001'],
    [1000, '1.000'],
    [MAX_AMOUNT, '999999999.999'],
  ],
};

it.each([...CURRENCY_EXPONENTS])('toMollieAmount writes %s with %i decimals', (currency, exponent) => {
  const values = VALUES[exponent] as [number, string][];
  expect(values.map(([minorUnits]) => toMollieAmount(minorUnits, currency))).toEqual(
    values.map(([, value]) => ({ currency, value })),
  );
});

// https://docs.mollie.com/docs/multicurrency lists these decimals.
it.each([
  ['ISK', '1999'],
  ['JPY', '1999'],
  ['HUF', '19.99'],
  ['TWD', '19.99'],
  ['EUR', '19.99'],
])('toMollieAmount agrees with the table of Mollie for %s', (currency, value) => {
  expect(toMollieAmount(1999, currency)?.value).toBe(value);
});

it('toMollieAmount returns null for an unknown currency', () => {
  expect(toMollieAmount(1999, 'XXX')).toBeNull();
});

it.each([...CURRENCY_EXPONENTS])('fromMollieAmount reads %s, with %i decimals', (currency, exponent) => {
  const values = VALUES[exponent] as [number, string][];
  expect(values.map(([, value]) => fromMollieAmount({ currency, value }))).toEqual(
    values.map(([minorUnits]) => minorUnits),
  );
});

it.each([
  ['JPY', '1.00', 1],
  ['JPY', '100', 100],
  ['EUR', '1', 100],
  ['EUR', '1.5', 150],
  ['EUR', '19.990', 1999],
  ['KWD', '1.00', 1000],
  ['KWD', '1.5', 1500],
  ['BHD', '0.125', 125],
  ['BHD', '10.0000', 10_000],
])('fromMollieAmount reads %s %s with more or fewer decimals', (currency, value, minorUnits) => {
  expect(fromMollieAmount({ currency, value })).toBe(minorUnits);
});

it.each([
  ['JPY', '1.50'],
  ['EUR', '1.005'],
  ['KWD', '1.0005'],
  ['XXX', '1.00'],
  ['EUR', '-1.00'],
  ['EUR', '1e3'],
  ['EUR', '1,00'],
  ['EUR', '.50'],
  ['EUR', ''],
  ['EUR', '99999999999999999.00'],
])('fromMollieAmount throws for %s %j', (currency, value) => {
  expect(() => fromMollieAmount({ currency, value })).toThrow('cannot be read');
});
