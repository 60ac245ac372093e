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
  ])('a spreadsheet takes %j for text and not for a formula', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
  });
});

test('a line ends with CR LF', () => {
  expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
});
