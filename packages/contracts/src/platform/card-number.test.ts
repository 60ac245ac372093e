import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DISGUISES, TEST_CARDS } from '../../test/card-disguises.ts';
import { createRandom, REFERENCES } from '../../test/references.ts';
import { containsCardNumber } from './card-number.ts';
import { CARD_SCHEMES } from './card-schemes.ts';

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
    ['13 digits of the length of an EAN-13 that begin with 4 and pass', '4222222222222'],
    ['an EAN-13 that begins like a Maestro card and passes', '5018000086592'],
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

describe('the decision record states how many ids of only digits are taken for card numbers', () => {
  const record = readFileSync(
    new URL('../../../../docs/decisions/0025-what-looks-like-a-card-number.md', import.meta.url),
    'utf8',
  );
  const lengths = [14, 15, 16, 17, 18, 19, 20];
  const idsOfEachLength = 50_000;

  test.each([8, 9, 10, 11, 12, 13])('none of %i digits', (length) => {
    const random = createRandom(length);
    const ids = Array.from({ length: idsOfEachLength }, () => random.digits(length));
    expect(ids.filter(containsCardNumber)).toEqual([]);
  });

  test('the decision record states how many ids of only digits are taken for card numbers by scheme and length', () => {
    const random = createRandom(20_261_128);
    const found = new Map(CARD_SCHEMES.map(({ name }) => [name, new Map<number, number>()]));
    for (const length of lengths) {
      for (let sample = 0; sample < idsOfEachLength; sample += 1) {
        const id = random.digits(length);
        if (!containsCardNumber(id)) continue;
        const ofScheme = found.get(schemeOf(id));
        ofScheme?.set(length, (ofScheme.get(length) ?? 0) + 1);
      }
    }
    const rows = [...found].map(([name, ofScheme]) => {
      const perThousand = lengths.map((length) => ((ofScheme.get(length) ?? 0) * 1000) / idsOfEachLength);
      return `| ${[name, ...perThousand.map((rate) => (rate === 0 ? '0' : rate.toFixed(2)))].join(' | ')} |`;
    });
    expect(rows.filter((row) => !record.includes(row))).toEqual([]);
  });

  function schemeOf(id: string): string {
    const scheme = CARD_SCHEMES.find(({ prefixes }) =>
      prefixes.some(
        ([first, last]) => id.slice(0, first.length) >= first && id.slice(0, first.length) <= last,
      ),
    );
    return scheme?.name ?? 'none';
  }
});

test.each([
  ['digits apart by dashes', '9-'],
  ['digits that begin like a card, apart by dashes', '4-'],
  ['digits of another script', '٩ '],
  ['groups like those of a UUID', '99999999-9999-9999-9999-999999999999-'],
  ['phone numbers', '+9 9 9 9 9 9 '],
])('280 KB of %s take linear time', (_what, filler) => {
  const text = filler.repeat((280 * 1024) / filler.length);
  const startedAt = performance.now();
  expect(containsCardNumber(text)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
