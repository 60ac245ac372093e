import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type Collation, parseCollation, sameCollation } from './collation.ts';
import { compareValues } from './compare.ts';

function collation(fields: { [name: string]: Shorthand }): Collation {
  const parsed = parseCollation(doc(fields));
  if (parsed === undefined) throw new Error('that is the simple collation');
  return parsed;
}

describe('comparing', () => {
  it.each<[{ [name: string]: Shorthand }, string, string, number]>([
    [{ locale: 'en', strength: 1 }, 'résumé', 'RESUME', 0],
    [{ locale: 'en', strength: 2 }, 'résumé', 'RÉSUMÉ', 0],
    [{ locale: 'en', strength: 2 }, 'résumé', 'resume', 1],
    [{ locale: 'en' }, 'a', 'A', -1],
    [{ locale: 'en' }, 'a b', 'ab', -1], // spaces and punctuation count
    [{ locale: 'en', strength: 1, caseLevel: true }, 'a', 'A', -1],
    [{ locale: 'en', strength: 1, caseLevel: true }, 'a', 'á', 0],
    [{ locale: 'en', numericOrdering: true }, '9', '10', -1],
    [{ locale: 'en' }, '9', '10', 1],
    [{ locale: 'de', strength: 1 }, 'ß', 'ss', 0],
    [{ locale: 'sv' }, 'ö', 'z', 1],
    [{ locale: 'en_US' }, 'ö', 'z', -1],
  ])('%j puts %j against %j at %i', (fields, a, b, order) => {
    expect(Math.sign(compareValues(a, b, collation(fields)))).toBe(order);
  });

  it('reaches into documents and arrays, but not to the names of fields', () => {
    const ci = collation({ locale: 'en', strength: 2 });
    expect(compareValues(value({ a: ['X', { b: 'y' }] }), value({ a: ['x', { b: 'Y' }] }), ci)).toBe(0);
    expect(compareValues(value({ a: 1 }), value({ A: 1 }), ci)).not.toBe(0);
  });
});

describe('reading', () => {
  it.each<[{ [name: string]: Shorthand }]>([[{}], [{ locale: 'simple' }]])('%j compares bytes', (fields) => {
    expect(parseCollation(doc(fields))).toBeUndefined();
  });

  it('what is written out in full is the same collation', () => {
    const short = collation({ locale: 'en', strength: 2 });
    expect(sameCollation(short, parseCollation(short.specification))).toBe(true);
    expect(sameCollation(short, collation({ locale: 'en' }))).toBe(false);
  });

  it.each<[Shorthand, number]>([
    [5, 14],
    [{ locale: 5 }, 14],
    [{ locale: 'klingon' }, 2],
    [{ locale: 'en', strength: 0 }, 2],
    [{ locale: 'en', caseLevel: 1 }, 14],
    [{ locale: 'en', strength: 2, caseLevel: true }, 238],
    [{ locale: 'en', backwards: true }, 238],
    [{ locale: 'fr_CA' }, 238],
  ])('%j is refused with %i', (given, code) => {
    expect(codeOf(() => parseCollation(value(given)))).toBe(code);
  });
});

describe('the text that stands for a string in an index', () => {
  const letters = fc.constantFrom(
    ...'aAbcCdDhHsSzZéÉêößæåÅøØłŁıİ½ﬁ 1-.áÁΩωςσЙйиьがかガ漢한אבأاإ🙂🙃👍🏽\u00ad\u0301',
  );
  const strings = fc.array(letters, { maxLength: 4 }).map((parts) => parts.join(''));
  const otherSpelling = (text: string) =>
    fc
      .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
      .map((flips) => [...text].map((c, at) => (flips[at] ? c.toUpperCase() : c.toLowerCase())).join(''));
  const pairs = strings.chain((text) => fc.tuple(fc.constant(text), fc.oneof(strings, otherSpelling(text))));

  it.each(['en', 'de', 'da', 'cs', 'hu', 'tr', 'ja', 'zh'])('is one for equal strings in %s', (locale) => {
    for (const strength of [1, 2, 3]) {
      const { compareStrings, indexText, hasSharedIndexText } = collation({ locale, strength });
      fc.assert(
        fc.property(pairs, ([a, b]) => {
          if (hasSharedIndexText(a) || hasSharedIndexText(b)) return;
          // Not the other way round: Danish tells aA from AA, as only the latter is an å.
          if (compareStrings(a, b) === 0) expect(indexText(a)).toBe(indexText(b));
        }),
        { numRuns: 500 },
      );
    }
  });

  it('is its own for plain letters, and shared by what is made of several or ignored', () => {
    const { indexText, hasSharedIndexText } = collation({ locale: 'en', strength: 2 });
    expect(indexText('Mail@Example.org')).toBe(indexText('mail@example.ORG'));
    expect(indexText('a')).not.toBe(indexText('b'));
    expect(['ß', 'ﬁ', '½', 'a\u00ad', 'x\u0301'].every(hasSharedIndexText)).toBe(true);
    expect(['straße', 'Ångström', 'ключ', '漢字', '한글', 'שלום', '🙂'].map(hasSharedIndexText)).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
