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
  ['a$', '', 'a\n', true],
  ['a$', '', 'a\nb', false],
  ['a\\$', '', 'a$', true],
  ['a b', '', 'ab', false],
  ['^a{2}$', '', 'aa', true],
  ['^a{1,2}$', '', 'aaa', false],
  ['^[a\\]]+$', '', ']a', true],
  ['^[^\\]]$', '', ']', false],
  ['^pay_[0-9A-HJKMNP-TV-Z]{3}$', '', 'pay_0AZ', true],
  ['^pay_[0-9A-HJKMNP-TV-Z]{3}$', '', 'pay_0AI', false],
  ['\\-\\_\\@\\/', '', '-_@/', true],
  ['^.$', '', '\u{1F600}', true],
  ['^[a.&|]+$', '', 'a.&&|', true],
  ['É', 'i', 'é', true],
  ['^[a-z]$', 'i', '\u017f', true],
];

const INVALID: [pattern: string, options: string][] = [
  ['[z-a]', ''],
  ['a{2,1}', ''],
  ['a'.repeat(33_000), ''],
  ['a{1001}', ''],
  ['[a-z]{1000}'.repeat(2), ''],
  [`${'[a-\uffff]'.repeat(10)}`, 'i'],
];

const OUT_OF_SCOPE: [pattern: string, options: string][] = [
  ...String.raw`(a) a|b a(?=b) a++ a*? *a a$b a^ {a} []a] [a^] [a-] [[:alpha:]] [a \d [\d] \bx`
    .split(' ')
    .map((pattern): [string, string] => [pattern, '']),
  ...['m', 's', 'x', 'u', 'im'].map((options): [string, string] => ['a', options]),
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
  'a regular expression is rejected with NotImplemented (238) when its syntax is out of scope: /%s/%s',
  (pattern, options) => {
    expect(codeOf(() => compileRegex(pattern, options))).toBe(238);
  },
);

test('a regular expression is rejected for an unknown option and for a null byte', () => {
  expect(codeOf(() => compileRegex('a', 'g'))).toBe(51108);
  expect(codeOf(() => compileRegex('a\0', ''))).toBe(2);
});

test.each([
  ['^a+a+a+a+$', `${'a'.repeat(100_000)}b`],
  ['.*.*.*.*.*x', 'a'.repeat(100_000)],
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
