import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_JSON_DEPTH, parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const malformed = expect.objectContaining({
  details: expect.objectContaining({ code: 'malformed-request' }),
});

test('strict JSON parses the output of JSON.stringify like JSON.parse does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes('"__proto__":') && text.isWellFormed() && !/\\ud[89a-f]/i.test(text));
      expect(parse(text)).toEqual(JSON.parse(text));
    }),
  );
});

test.each([
  ['a name twice', '{"a":1,"a":1}'],
  ['a name twice, once escaped', '{"a":1,"\\u0061":2}'],
  ['a name twice inside an array', '[{"b":{}},{"a":[],"b":{"c":1,"d":[{"x":1}],"c":2}}]'],
  ['__proto__', '{"__proto__":{"amount":1}}'],
  ['__proto__, escaped', '{"metadata":{"__\\u0070roto__":"x"}}'],
  ['half a surrogate pair', '{"a":"\\ud800"}'],
  ['half a surrogate pair as name', '{"\\udc00":1}'],
  ['too many levels', nested(MAX_JSON_DEPTH + 1)],
  ['a trailing comma', '{"a":1,}'],
  ['a comment', '{"a":1}//'],
  ['two values', '{}{}'],
  ['a byte order mark', '\ufeff{}'],
  ['nothing', ''],
  ['NaN', '{"a":NaN}'],
  ['an amount with digits that would be lost', '{"amount":1999.0000000000000001}'],
  ['an integer with digits that would be lost', '{"amount":9007199254740993}'],
  ['an exponent with digits that would be lost', '[19990000000000000001e-16]'],
  ['a number too small to be represented', '[1e-400]'],
  ['a number of 100,000 digits', `[1${'0'.repeat(100_000)}1]`],
  ['a negative number with digits that would be lost', '[[-0.10000000000000000001]]'],
])('strict JSON rejects %s as malformed', (_what, text) => {
  expect(() => parse(text)).toThrow(malformed);
});

test.each([
  ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22]],
  ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a cut character', [0x22, 0xe2, 0x82, 0x22]],
  ['UTF-16', [0x7b, 0x00, 0x7d, 0x00]],
])('strict JSON rejects %s as malformed', (_what, bytes) => {
  expect(() => parseStrictJson(Buffer.from(bytes))).toThrow(malformed);
});

test('strict JSON accepts the same name in different objects, and as a name and a value', () => {
  const text = '{"a":{"a":"a"},"b":[{"a":"a"},{"a":"\\"a\\\\"}],"c":"a"}';
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each(['0', '-0', '100', '1e2', '1.0E+2', '1999.00', '0.1', '-1.5e-7', '9007199254740992', '1e21'])(
  'strict JSON accepts the number %s',
  (literal) => {
    expect(parse(`{"a":[${literal},"1999.0000000000000001"],"b":${literal}}`)).toEqual({
      a: [Number(literal), '1999.0000000000000001'],
      b: Number(literal),
    });
  },
);

test('strict JSON accepts the deepest allowed nesting', () => {
  expect(parse(nested(MAX_JSON_DEPTH))).toHaveLength(1);
});
