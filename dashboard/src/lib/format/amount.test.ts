import { afterEach, describe, expect, it } from 'vitest';
import { formatAmount, parseAmount } from './amount.ts';
import { DEFAULT_LOCALE, provideLocale } from './locale.ts';

it.each([
  [199900, 'EUR', '1,999.00'],
  [5, 'EUR', '0.05'],
  [500, 'JPY', '500'],
  [1234567, 'KWD', '1,234.567'],
  [999_999_999_999, 'USD', '9,999,999,999.99'],
])('an amount of %i minor units of %s is formatted as %s, and parses back', (minorUnits, currency, text) => {
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
])('an amount cannot be parsed from %j in %s', (text, currency) => {
  expect(parseAmount(text, currency)).toBeNull();
});

describe('an amount in another locale', () => {
  afterEach(() => provideLocale(() => DEFAULT_LOCALE));

  it.each([
    ['de-DE', '1.234.567,89'],
    ['en-US', '1,234,567.89'],
    ['en-IN', '12,34,567.89'],
    ['fr-FR', '1 234 567,89'],
    ['pt-PT', '1 234 567,89'],
  ])('an amount in another locale has the format of %s, and parses back: %s', (locale, text) => {
    provideLocale(() => locale);
    expect(formatAmount(123_456_789, 'EUR').replaceAll(/\s/g, ' ')).toBe(text);
    expect(parseAmount(text, 'EUR')).toBe(123_456_789);
    expect(parseAmount(formatAmount(123_456_789, 'EUR'), 'EUR')).toBe(123_456_789);
  });

  it('an amount in another locale is not parsed when its separators have another meaning', () => {
    provideLocale(() => 'de-DE');
    expect(parseAmount('1999.50', 'EUR')).toBeNull();
    expect(parseAmount('1,234.50', 'EUR')).toBeNull();
    expect(parseAmount('1.999', 'EUR')).toBe(199_900);
  });
});
