import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryNumber, arbitraryValue } from '../../test/arbitrary-values.ts';
import {
  Binary,
  BSON_UNDEFINED,
  BSONRegExp,
  type BsonValue,
  decimal,
  documentOf,
  double,
  int32,
  long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '../bson/document.ts';
import { compareValues, equalValues, identicalValues, typeClassOf } from './compare.ts';
import { encodeKey, prefixUpperBound, typeClassBounds } from './key-encoding.ts';

/** Groups of equal values, ascending in MongoDB's order. */
const ASCENDING: BsonValue[][] = [
  [new MinKey()],
  [BSON_UNDEFINED],
  [null],
  [double(Number.NaN), decimal('NaN')],
  [double(Number.NEGATIVE_INFINITY), decimal('-Infinity')],
  [decimal('-1E400')],
  [double(-Number.MAX_VALUE)],
  [long(-(2n ** 63n)), double(-(2 ** 63)), decimal('-9223372036854775808')],
  [long(-(2n ** 53n) - 1n)],
  [double(-(2 ** 53)), long(-(2n ** 53n))],
  [int32(-1), double(-1), long(-1), decimal('-1.000')],
  [decimal('-1E-400')],
  [int32(0), double(-0), long(0), decimal('-0'), decimal('0E+7')],
  [decimal('1E-6176')],
  [double(5e-324)],
  [decimal('0.1')],
  [double(0.1)], // 0.1 as a double is 0.1000000000000000055…
  [decimal('1'), int32(1)],
  [double(2 ** 53)],
  [long(2n ** 53n + 1n), decimal('9007199254740993')],
  [double(2 ** 53 + 2)],
  [long(2n ** 63n - 1n)],
  [double(2 ** 63)],
  [double(Number.MAX_VALUE)],
  [decimal('1E400')],
  [double(Number.POSITIVE_INFINITY), decimal('Infinity')],
  [''],
  ['A'],
  ['a'],
  ['a\0'],
  ['aa'],
  ['\uFFFD'],
  ['\u{1F600}'],
  [new Map()],
  [documentOf({ a: int32(1) }), documentOf({ a: double(1) })],
  [documentOf({ a: int32(1), b: null })],
  [documentOf({ b: int32(0) })],
  [documentOf({ a: 'x' })],
  [[]],
  [[int32(1)]],
  [[int32(1), int32(0)]],
  [[int32(2)]],
  [['a']],
  [new Binary(Uint8Array.of(255), 0)],
  [new Binary(Uint8Array.of(0), 4)],
  [new Binary(Uint8Array.of(0, 0), 0)],
  [new ObjectId('000000000000000000000001')],
  [new ObjectId('7fffffff0000000000000000')],
  [new ObjectId('800000000000000000000000')], // from 2038, the seconds do not fit in a signed int32
  [new ObjectId('ff0000000000000000000000')],
  [false],
  [true],
  [new Date(-8.64e15)],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1)],
  [new Date(1_800_000_000_000)],
  [new Date(1_800_000_000_001)],
  [new Date(8.64e15 - 1)],
  [new Date(8.64e15)],
  [new Timestamp({ t: 0, i: 1 })],
  [new Timestamp({ t: 4294967295, i: 0 })],
  [new BSONRegExp('a', '')],
  [new BSONRegExp('a', 'i')],
  [new BSONRegExp('b', '')],
  [new MaxKey()],
];

function sign(order: number): number {
  return Math.sign(order) + 0;
}

it('the order of values and of their encoded keys is that of MongoDB for values of different BSON types', () => {
  const key = (value: BsonValue) => encodeKey([value], [1]);
  const failures: string[] = [];
  ASCENDING.forEach((left, i) => {
    ASCENDING.forEach((right, j) => {
      for (const a of left) {
        for (const b of right) {
          if (sign(compareValues(a, b)) !== sign(i - j)) failures.push(`compare ${i}/${j}`);
          if (sign(Buffer.compare(key(a), key(b))) !== sign(i - j)) failures.push(`key ${i}/${j}`);
        }
      }
    });
  });
  expect(failures).toEqual([]);
});

it('the order of values and of their encoded keys is the same for generated numbers of all four types', () => {
  fc.assert(
    fc.property(arbitraryNumber, arbitraryNumber, arbitraryNumber, (a, b, c) => {
      const expected = sign(compareValues(a, b));
      expect(sign(Buffer.compare(encodeKey([a], [1]), encodeKey([b], [1])))).toBe(expected);
      expect(sign(compareValues(b, a))).toBe(sign(-expected));
      const sorted = [a, b, c].sort(compareValues) as [BsonValue, BsonValue, BsonValue];
      expect(compareValues(sorted[0], sorted[2])).toBeLessThanOrEqual(0);
    }),
    { numRuns: 5000 },
  );
});

it('the order of values and of their encoded keys depends on the first field that differs between compound keys', () => {
  const pair = fc.tuple(arbitraryValue, arbitraryValue);
  const direction = fc.constantFrom(1 as const, -1 as const);
  fc.assert(
    fc.property(pair, pair, direction, direction, (a, b, first, second) => {
      const expected = first * compareValues(a[0], b[0]) || second * compareValues(a[1], b[1]);
      const order = Buffer.compare(encodeKey(a, [first, second]), encodeKey(b, [first, second]));
      expect(sign(order)).toBe(sign(expected));
    }),
    { numRuns: 3000 },
  );
});

it('the order of values and of their encoded keys yields bounds that enclose exactly the keys with a prefix of fields', () => {
  fc.assert(
    fc.property(arbitraryValue, arbitraryValue, arbitraryValue, (a, b, other) => {
      const prefix = encodeKey([a], [1, 1]);
      const within = (key: Uint8Array) =>
        Buffer.compare(prefix, key) <= 0 && Buffer.compare(key, prefixUpperBound(prefix)) < 0;
      expect(within(encodeKey([a, b], [1, 1]))).toBe(true);
      expect(within(encodeKey([a, b], [1, -1]))).toBe(true);
      expect(within(encodeKey([other, b], [1, 1]))).toBe(equalValues(a, other));
    }),
  );
});

it('the order of values and of their encoded keys yields bounds that enclose exactly the values of a type class', () => {
  fc.assert(
    fc.property(
      arbitraryValue,
      arbitraryValue,
      fc.constantFrom(1 as const, -1 as const),
      (a, b, direction) => {
        const { lower, upper } = typeClassBounds(typeClassOf(a), direction);
        const key = encodeKey([b], [direction]);
        const isWithin = Buffer.compare(lower, key) <= 0 && Buffer.compare(key, upper) < 0;
        expect(isWithin).toBe(typeClassOf(a) === typeClassOf(b));
      },
    ),
  );
});

it.each<[BsonValue, BsonValue]>([
  [int32(1), double(1)],
  [double(0), double(-0)],
  [decimal('1.0'), decimal('1.00')],
  [[int32(1)], [int32(1), int32(2)]],
  [[int32(1)], [long(1)]],
  [new Map(), documentOf({ a: null })],
  [documentOf({ a: null, b: null }), documentOf({ b: null, a: null })],
  [documentOf({ a: [int32(1)] }), documentOf({ a: [double(1)] })],
  [new Binary(Uint8Array.of(1), 0), new Binary(Uint8Array.of(1), 4)],
])('identical values have equal types at every level, unlike %o and %o', (a, b) => {
  expect(identicalValues(a, b)).toBe(false);
  expect(identicalValues(a, a)).toBe(true);
});

it('identical values can be distinct objects', () => {
  const value = () =>
    documentOf({ a: [double(Number.NaN), new Date(1), decimal('1.0'), new ObjectId('00'.repeat(12))] });
  expect(identicalValues(value(), value())).toBe(true);
});
