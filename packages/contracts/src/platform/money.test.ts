import { describe, expect, it } from 'vitest';
import { CURRENCY_EXPONENTS } from './money.ts';

describe('the currency table', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['HUF', 2],
    ['BHD', 3],
    ['KWD', 3],
    ['TND', 3],
    ['XCG', 2],
  ])('%s has %i decimal digits', (code, exponent) => {
    expect(CURRENCY_EXPONENTS.get(code)).toBe(exponent);
  });

  it('the currency table lists each code once, as three capital letters, without funds, metals, test codes, and withdrawn codes', () => {
    const codes = [...CURRENCY_EXPONENTS.keys()];
    expect(codes.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    expect(codes.length).toBe(new Set(codes).size);
    for (const code of [
      'XAU',
      'XTS',
      'XXX',
      'CHE',
      'CLF',
      'UYW',
      'USN',
      'DEM',
      'HRK',
      'ZWL',
      'ANG',
      'BGN',
      'eur',
      '',
    ]) {
      expect(CURRENCY_EXPONENTS.has(code)).toBe(false);
    }
  });
});
