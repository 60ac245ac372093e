import { expect, test } from 'vitest';
import { codeOf } from '../../../test/shorthand.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { withComputationLimit } from '../../computation-limit.ts';
import { compileRegex } from './regex.ts';

/** Results of PCRE2 10.42 in UTF mode, collected by comparing both engines. */
const LIKE_PCRE2: [pattern: string, options: string, text: string, isMatch: boolean][] = [
  ['^ab', '', 'abc', true],
  ['^ab', '', 'xab', false],
  ['^a\\.b', '', 'a.bc', true],
  ['^a\\.b', '', 'axb', false],
  ['b', '', 'abc', true],
  ['a.b', '', 'a\rb', true],
  ['a.b', '', 'a\nb', false],
  ['a.b', 's', 'a\nb', true],
  ['^b', 'm', 'a\nb', true],
  ['^b', 'm', 'a\rb', false],
  ['^(?:|,)b', 'm', 'a\nb', true],
  ['a$', '', 'a\n', true],
  ['a$', '', 'a\nb', false],
  ['a$', 'm', 'a\nb', true],
  ['^(?:a$|b)', '', 'a\n', true],
  ['a\\Z', 'm', 'a\n', true],
  ['a\\Z', 'm', 'a\nb', false],
  ['\\Aa\\z', '', 'a\n', false],
  ['\\bb\\b', '', 'a b c', true],
  ['^\\s$', '', '\u00a0', false],
  ['^\\s$', '', '\v', true],
  ['^\\S$', '', '\v', false],
  ['^[\\s]$', '', '\t', true],
  ['^[^\\S]$', '', '\t', true],
  ['^\\h\\v$', '', '\u00a0\u2028', true],
  ['^\\d\\w$', '', '1é', false],
  ['a b # c', 'x', 'ab', true],
  ['a\\ [ ]b', 'x', 'a  b', true],
  ['a b', '', 'ab', false],
  ['a(?#comment)b', '', 'ab', true],
  ['(?i)AB', '', 'xaby', true],
  ['a(?i)b|c', '', 'C', true],
  ['(a(?i)b)c', '', 'aBC', false],
  ['(?i:a(?-i:b))', '', 'AB', false],
  ['(?s-m:.)', '', '\n', true],
  ['^[[:digit:]_-]+$', '', '12_-3', true],
  ['^[[:^digit:]]+$', '', '12', false],
  ['^[[:upper:]]$', 'i', 'a', true],
  ['\\Qa.b\\E', '', 'axb', false],
  ['^\\Qa.b', '', 'a.b', true],
  ['^{a}$', '', '{a}', true],
  ['^a{,2}$', '', 'a{,2}', true],
  ['^a{2}$', '', 'aa', true],
  ['^a{1,2}?$', '', 'aa', true],
  ['^[]a]+$', '', ']a', true],
  ['^[^]]$', '', ']', false],
  ['^[a-c-e]$', '', '-', true],
  ['\\-\\_\\@\\/', '', '-_@/', true],
  ['^\\x41\\x{1F600}$', '', 'A\u{1F600}', true],
  ['^\\t\\e$', '', '\t\u001b', true],
  ['^.$', '', '\u{1F600}', true],
  ['(?P<x>a)(?<y>b)', '', 'ab', true],
  ['^[a-c.&&|]+$', '', 'b.&&|', true],
  ['É', 'i', 'é', true],
  ['^[a-z]$', 'i', '\u017f', true],
  ['^\\w$', 'i', '\u017f', false],
  ['^[\\w.-]+$', 'i', 'K.s', true],
  ['^[\\w.-]+$', 'i', '\u212a', false],
  ['^[^\\W_]$', 'i', '\u017f', false],
];

const INVALID: [pattern: string, options: string][] = [
  ['(', ''],
  [')', ''],
  ['[a', ''],
  ['a**', ''],
  ['a{2}{3}', ''],
  ['*a', ''],
  ['\\b?a', ''],
  ['( ?:a)', 'x'],
  ['[z-a]', ''],
  ['[\\d-z]', ''],
  ['[a-[:digit:]]', ''],
  ['[:alpha:]', ''],
  ['[[:letter:]]', ''],
  ['\\x{110000}', ''],
  ['\\x{d800}', ''],
  ['(?P<x>a)(?P<x>b)', ''],
  ['a'.repeat(33_000), ''],
  ['(a{1000}){1000}', ''],
  ['(?:(?:ab){100}){11}', ''],
  ['a{1001}', ''],
  ['(?:[a-z][0-9]){1000}'.repeat(4), ''],
  [`(?i)${'[a-\\x{ffff}]'.repeat(10)}`, ''],
];

const OUT_OF_SCOPE: [pattern: string, options: string][] = [
  ['a(?=b)', ''],
  ['a(?!b)', ''],
  ['(?<=a)b', ''],
  ['(?>a)', ''],
  ['a++', ''],
  ['(a)\\1', ''],
  ['(a(?R)?)', ''],
  ['(?(1)a)', ''],
  ['(*ANYCRLF)a', ''],
  ['\\p{L}', ''],
  ['\\R', ''],
  ['\\Ka', ''],
  ['\\012', ''],
  ['(?xx)a', ''],
  ['a$b*', ''],
  ['(a$)+', ''],
  ['^', 'm'],
  ['^\\s*$', 'm'],
  ['(?:a|^)b?', 'm'],
  ['[\\wé]', 'i'],
  ['[\\D[:alpha:]]', ''],
];

test.each(LIKE_PCRE2)(
  'a regular expression matches like PCRE2: /%s/%s in %j',
  (pattern, options, text, isMatch) => {
    expect(compileRegex(pattern, options).test(text)).toBe(isMatch);
  },
);

test.each(INVALID)(
  'a regular expression is rejected with 51091 when it is invalid or too large: /%.20s/%s',
  (pattern, options) => {
    expect(codeOf(() => compileRegex(pattern, options))).toBe(51091);
  },
);

test.each(OUT_OF_SCOPE)(
  'a regular expression is rejected with NotImplemented (238) when RE2 cannot match it exactly: /%s/%s',
  (pattern, options) => {
    expect(codeOf(() => compileRegex(pattern, options))).toBe(238);
  },
);

test('a regular expression is rejected for an unknown option and for a null byte', () => {
  expect(codeOf(() => compileRegex('a', 'g'))).toBe(51108);
  expect(codeOf(() => compileRegex('a\0', ''))).toBe(2);
});

test.each([
  ['^(a+)+$', `${'a'.repeat(100_000)}b`],
  ['(a|aa)+$', `${'a'.repeat(100_000)}b`],
  ['(.*)(.*)(.*)(.*)(.*)x', 'a'.repeat(100_000)],
])('a regular expression takes time in proportion to the text: /%s/', (pattern, text) => {
  const regex = compileRegex(pattern, '');
  const startedAt = performance.now();
  expect(regex.test(text)).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('a regular expression does not run on a text that may take more steps than remain', () => {
  const regex = compileRegex('[ab]*a[ab]{100}c', '');
  const limit = {
    maxSteps: 1_000_000,
    exceeded(): never {
      throw mongoError('OperationFailed', 'too many steps');
    },
  };
  expect(codeOf(() => withComputationLimit(limit, () => regex.test('ab'.repeat(50_000))))).toBe(96);
  expect(withComputationLimit(limit, () => regex.test('ab'.repeat(100)))).toBe(false);
});
