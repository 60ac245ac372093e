import { expect, test } from 'vitest';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';

test('Idempotency-Key is the same key quoted or unquoted', () => {
  expect(parseIdempotencyKey('"order-17"')).toBe('order-17');
  expect(parseIdempotencyKey('order-17')).toBe('order-17');
});

test('Idempotency-Key is optional', () => {
  expect(parseIdempotencyKey(undefined)).toBeNull();
});

test.each([
  ['one character', '!'],
  ['255 characters', 'k'.repeat(255)],
  ['every visible ASCII character', String.fromCharCode(...Array.from({ length: 94 }, (_, i) => 0x21 + i))],
  ['a quote inside a bare key', 'a"b'],
  ['the text of a missing value inside', 'order-null'],
])('Idempotency-Key may have %s', (_what, key) => {
  expect(parseIdempotencyKey(key)).toBe(key);
});

test('Idempotency-Key is unescaped when quoted', () => {
  expect(parseIdempotencyKey('"a\\"b\\\\c"')).toBe('a"b\\c');
});

test.each([
  ['empty', ''],
  ['empty quotes', '""'],
  ['256 characters', 'k'.repeat(256)],
  ['256 characters in quotes', `"${'k'.repeat(256)}"`],
  ['a space', 'a b'],
  ['a space in quotes', '"a b"'],
  ['two headers', 'a, b'],
  ['an open quote', '"a'],
  ['one quote', '"'],
  ['text after the quotes', '"a"b'],
  ['an unescaped quote inside quotes', '"a"b"'],
  ['an escape that does not exist', '"a\\n"'],
  ['a control character', 'a\tb'],
  ['a letter outside ASCII', 'schlüssel'],
  ['a card number', '4242-4242-4242-4242'],
  ['the text of a missing value', 'null'],
  ['the text of a missing value in quotes', '"null"'],
  ['the text of a missing value in capitals', 'NULL'],
  ['the text of an undefined value', 'undefined'],
  ['the text of a value that is not a number', 'NaN'],
  ['the text of a missing value of Python', 'None'],
  ['the text of a condition', 'true'],
  ['the text of an object', '[object Object]'],
])('Idempotency-Key is rejected with %s', (_what, header) => {
  expect(() => parseIdempotencyKey(header)).toThrow('invalid-idempotency-key');
});
