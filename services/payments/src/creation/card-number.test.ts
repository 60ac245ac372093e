import { describe, expect, test } from 'vitest';
import { containsCardNumber } from './card-number.ts';

describe('a card number is found', () => {
  test.each([
    ['Visa, 16 digits', '4111111111111111'],
    ['Visa, 13 digits', '4222222222222'],
    ['Visa, 19 digits', '4000000000000000006'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard, 2-series', '2223003122003222'],
    ['American Express, 15 digits', '378282246310005'],
    ['American Express, as printed', '3782 822463 10005'],
    ['Diners, 14 digits', '30569309025904'],
    ['JCB', '3566002020360505'],
    ['groups of four with spaces', '4111 1111 1111 1111'],
    ['groups of four with dashes', '4111-1111-1111-1111'],
    ['every digit apart', '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1'],
    ['several spaces', '4111  1111  1111  1111'],
    ['no-break spaces', '4111\u00a01111\u00a01111\u00a01111'],
    ['en dashes', '4111\u20131111\u20131111\u20131111'],
    ['full-width digits', '４１１１１１１１１１１１１１１１'],
    ['inside a sentence', 'please charge 4111111111111111, thanks'],
    ['next to letters', 'card4111111111111111exp0129'],
    ['after another number', 'no. 12 4111 1111 1111 1111'],
    ['before another number', '4111 1111 1111 1111 123'],
    ['beside a UUID', '550e8400-e29b-41d4-a716-446655440000 4111111111111111'],
    ['beside an IBAN', 'BE68539007547034 4111111111111111'],
  ])('%s', (_what, text) => {
    expect(containsCardNumber(text)).toBe(true);
  });
});

describe('other numbers are not card numbers', () => {
  test.each([
    ['no digits', 'Invoice for May'],
    ['a number that fails the Luhn check', '4111111111111112'],
    ['12 digits that pass the Luhn check', '411111111117'],
    ['20 digits with a card number inside', '41111111111111110000'],
    ['groups with mixed separators', '2026-11-21 2026-11-27'],
    ['digits apart by other characters', '4111/1111/1111/1111'],
    ['a UUID whose last groups would pass', '550e8400-e29b-41d4-8123-100000000003'],
    ['a Belgian IBAN whose digits pass', 'BE63096123456719'],
    ['an IBAN as printed', 'DE89 3704 0044 0532 0130 00'],
    ['a Danish IBAN whose digits pass', 'DK4100400440116211'],
    ['a phone number', '+49 170 1234567'],
  ])('%s', (_what, text) => {
    expect(containsCardNumber(text)).toBe(false);
  });

  test('every valid IBAN of a country whose IBANs have as many digits as a card number', () => {
    for (let account = 0; account < 500; account += 1) {
      const bban = `5390${String(account).padStart(8, '0')}`;
      const check = 98n - (BigInt(`${bban}111400`) % 97n);
      expect(containsCardNumber(`BE${String(check).padStart(2, '0')}${bban}`)).toBe(false);
    }
  });
});
