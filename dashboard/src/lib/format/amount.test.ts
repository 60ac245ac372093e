import { describe, expect, it } from 'vitest';
import { formatAmount, parseAmount } from './amount.ts';

describe('an amount', () => {
  it.each([
    [199900, 'EUR', '1,999.00'],
    [5, 'EUR', '0.05'],
    [500, 'JPY', '500'],
    [1234567, 'KWD', '1,234.567'],
    [999_999_999_999, 'USD', '9,999,999,999.99'],
  ])('of %i minor units of %s is formatted as %s, and parses back', (minorUnits, currency, text) => {
    expect(formatAmount(minorUnits, currency)).toBe(text);
    expect(parseAmount(text, currency)).toBe(minorUnits);
  });

  it.each([
    ['1.999', 'EUR'],
    ['1.5', 'JPY'],
    ['-1', 'EUR'],
    ['1e3', 'EUR'],
    ['', 'EUR'],
    ['99999999999999999', 'EUR'],
  ])('cannot be parsed from %j in %s', (text, currency) => {
    expect(parseAmount(text, currency)).toBeNull();
  });
});
