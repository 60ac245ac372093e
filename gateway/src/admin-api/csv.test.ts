import { describe, expect, test } from 'vitest';
import { csvCell, csvHeader, csvLine } from './csv.ts';

describe('a CSV cell', () => {
  test.each([
    [null, ''],
    [1250, '1250'],
    [-5, '-5'],
    ['Order 4711', 'Order 4711'],
    ['', ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['a\r', '"a\r"'],
    ['two\r\nlines', '"two\r\nlines"'],
  ])('%j is written as %j', (value, written) => {
    expect(csvCell(value)).toBe(written);
  });

  test.each([
    '=1+1',
    '+49 30',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\u0000=1',
    '\u000b=1',
    '\u0000',
    '\u0085+1',
    ' =1+1',
    '\u00a0\u2003@SUM(A1)',
    '\ufeff-1',
    '\u200b\u202e=1',
    ' "\u0000" =1',
    '＝1',
    '=HYPERLINK("https://evil.example","x")',
  ])('a CSV cell is read by spreadsheets as text and not as a formula: %j', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  });
});

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['=1;=2', "'=1;'=2"],
  ['a;"=1+1;', `"a;'""=1+1;"`],
  ['a\n=1', '"a\n\'=1"'],
  ['a;\u0000=1', "a;\u0000'=1"],
  ['a\u000b=1', "a\u000b'=1"],
  ['a=1; -2', 'a=1; -2'],
])(
  "a CSV file keeps a formula behind another locale's separator as text: %j is written as %j",
  (value, written) => {
    expect(csvCell(value)).toBe(written);
  },
);

test('a text that begins with an invisible character and is no formula stays as it is', () => {
  expect(csvCell('\u200bOrder = 5')).toBe('\u200bOrder = 5');
});

test('a file begins with a byte order mark, so that spreadsheets read it as UTF-8', () => {
  expect(csvHeader({ id: () => 'x', größe: () => 1 })).toBe('\ufeffid,größe\r\n');
});

test('a line ends with CR LF', () => {
  expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
});
