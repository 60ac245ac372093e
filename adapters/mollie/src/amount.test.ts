import { CURRENCY_EXPONENTS, MAX_AMOUNT, MIN_AMOUNT } from '@tollgate/contracts/money';
import { describe, expect, it } from 'vitest';
import { toMollieAmount } from './amount.ts';

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

describe('toMollieAmount', () => {
  it.each([...CURRENCY_EXPONENTS])('writes %s with %i decimals', (currency, exponent) => {
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
  ])('agrees with the table of Mollie for %s', (currency, value) => {
    expect(toMollieAmount(1999, currency)?.value).toBe(value);
  });

  it('returns null for an unknown currency', () => {
    expect(toMollieAmount(1999, 'XXX')).toBeNull();
  });
});
