import { describe, expect, test } from 'vitest';
import { csvCell, csvLine } from './csv.ts';

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
    '＝1',
    '=HYPERLINK("https://evil.example","x")',
  ])('is read by spreadsheets as text and not as a formula: %j', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  });
});

test.each([
  ['a;=1+1', "a;'=1+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['=1;=2', "'=1;'=2"],
  ['a;"=1+1;', `"a;'""=1+1;"`],
  ['a\n=1', '"a\n\'=1"'],
  ['a=1; -2', 'a=1; -2'],
])("keeps a formula behind another locale's separator as text: %j is written as %j", (value, written) => {
  expect(csvCell(value)).toBe(written);
});

test('a line ends with CR LF', () => {
  expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
});
