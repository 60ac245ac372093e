import { describe, expect, test } from 'vitest';
import { isPlainText, toPlainText } from './plain-text.ts';

test('text that cannot be rejected keeps its words', () => {
  expect(toPlainText('first line\r\nsecond\u202e\u200b line')).toBe('first line second line');
});

test.each([
  ['letters with accents', 'Zoë Müller-Ångström'],
  ['Arabic', 'عبد الله'],
  ['Hebrew', 'שלום עולם'],
  ['Persian with a zero-width non-joiner', 'می\u200cخواهم'],
  ['Sinhala with a zero-width joiner', 'ශ්\u200dරී'],
  ['a Japanese name with a variation selector', '葛\u{e0100}城'],
  ['a family of emoji', '👨\u200d👩\u200d👧'],
  ['an emoji with skin tone and profession', '👩🏽\u200d🚀'],
  ['a heart in color', '❤\ufe0f'],
  ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['a no-break space', '10\u00a0€'],
  ['a decomposed accent', 'e\u0301'],
  ['nothing', ''],
])('%s is plain text', (_what, text) => {
  expect(isPlainText(text)).toBe(true);
  expect(toPlainText(text)).toBe(text);
});

const DISALLOWED: [what: string, character: string][] = [
  ['NUL', '\0'],
  ['a tab', '\t'],
  ['a line feed', '\n'],
  ['escape', '\x1b'],
  ['DEL', '\x7f'],
  ['a C1 control', '\x85'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
  ['a right-to-left override', '\u202e'],
  ['a right-to-left isolate', '\u2067'],
  ['a right-to-left mark', '\u200f'],
  ['an Arabic letter mark', '\u061c'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a zero-width non-joiner', '\u200c'],
  ['a variation selector', '\ufe0f'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['a Hangul filler', '\u3164'],
  ['a combining grapheme joiner', '\u034f'],
  ['a tag', '\u{e0041}'],
  ['an annotation anchor', '\ufff9'],
  ['a noncharacter', '\uffff'],
  ['half a surrogate pair', '\ud800'],
];

describe.each(DISALLOWED)('%s', (_what, character) => {
  test.each([
    ['within', `Ada${character}Lovelace`],
    ['at the start', `${character}Ada`],
    ['at the end', `Ada${character}`],
    ['alone', character],
  ])('%s is no plain text', (_where, text) => {
    expect(isPlainText(text)).toBe(false);
    expect(isPlainText(toPlainText(text))).toBe(true);
  });
});
