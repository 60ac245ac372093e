import { describe, expect, test } from 'vitest';
import { DISGUISES, TEST_CARDS } from '../test/card-disguises.ts';
import { createRandom, REFERENCES } from '../test/references.ts';
import { containsCardNumber } from './card-number.ts';

/** A million in the long form. */
const SAMPLES = Number(process.env['CARD_NUMBER_SAMPLES'] ?? 100_000);
const MAX_FALSE_POSITIVES = 1 / 1000;

describe('every published test card is found', () => {
  test.each(Object.keys(DISGUISES))('%s', (name) => {
    const missed = TEST_CARDS.filter((card) => !containsCardNumber(DISGUISES[name]?.(card) ?? ''));
    expect(missed).toEqual([]);
  });
});

describe('other numbers are not card numbers', () => {
  test.each([
    ['no digits', 'Invoice for May'],
    ['a number that fails the Luhn check', '4111111111111112'],
    ['12 digits that pass the Luhn check', '411111111117'],
    ['21 digits with a card number inside', '411111111111111100000'],
    ['groups with mixed separators', '2026-11-21 2026-11-27'],
    ['digits apart by four characters', '4111 -- 1111 -- 1111 -- 1111'],
    ['digits apart by letters', '4111 and 1111 and 1111 and 1111'],
    ['a number that no scheme issues, but that passes', '1111111111111117'],
    ['an order with its time in milliseconds that passes', 'order-1763812345674'],
    ['a UUID with such digits', 'b3411104-5348-4185-b389-63346a4412ff'],
    ['a digest with such digits', '4066565440564bf69b593687e78c681e'],
    ['a Belgian IBAN whose digits pass', 'BE63096123456719'],
    ['an IBAN as printed', 'DE89 3704 0044 0532 0130 00'],
    ['a Danish IBAN whose digits pass', 'DK4100400440116211'],
    ['a phone number', '+49 170 1234567'],
    ['a phone number that passes', '+49 1512 3456786'],
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

  test('fewer than one in a thousand references, order numbers, and phone numbers', () => {
    const random = createRandom(20_261_122);
    const kinds = Object.entries(REFERENCES);
    const found: Record<string, number> = {};
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      const [kind = '', reference = () => ''] = kinds[sample % kinds.length] ?? [];
      if (containsCardNumber(reference(random))) found[kind] = (found[kind] ?? 0) + 1;
    }
    const rate = Object.values(found).reduce((sum, count) => sum + count, 0) / SAMPLES;
    process.stdout.write(
      `measured: ${(rate * 1000).toFixed(2)} of 1,000 taken for card numbers: ${JSON.stringify(found)}\n`,
    );
    expect(rate).toBeLessThan(MAX_FALSE_POSITIVES);
  }, 60_000);
});
