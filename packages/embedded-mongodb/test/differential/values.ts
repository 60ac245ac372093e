import {
  Binary,
  BSONRegExp,
  type BsonValue,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '../../src/bson/document.ts';
import type { Random } from './random.ts';

export const int = (value: number): Int32 => new Int32(value);
const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** Few values of each type, so that they meet, and so that the edges of the types are among them. */
const SMALL_NUMBERS: BsonValue[] = [-2, -1, 0, 1, 2, 3, 5].flatMap((value) => [
  int(value),
  int(value),
  new Double(value),
  Long.fromNumber(value),
  decimal(String(value)),
]);
const ODD_NUMBERS: BsonValue[] = [
  ...[0.5, 1.5, 2.5, -0.5, -1.5, 0.1, 0.2, 1e-7, 12345.678, -0, 1e300, 5e-324].map(
    (value) => new Double(value),
  ),
  ...[Number.NaN, Infinity, -Infinity, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63)].map(
    (value) => new Double(value),
  ),
  ...['0.5', '1.0', '1.50', '-0', '0.00', '0.1', '2.5', '1E+3', '12345678901234567890.5', '1E-20'].map(
    decimal,
  ),
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '9007199254740993',
    '3.333333333333333333333333333333333',
    '9E+6144',
    '1E-6176',
  ].map(decimal),
  ...[2 ** 31 - 1, -(2 ** 31), 1000, 59].map(int),
  ...[2n ** 31n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 31n) - 1n].map((value) =>
    Long.fromBigInt(value),
  ),
];
const TEXTS = [
  '',
  'a',
  'a',
  'b',
  'A',
  'ab',
  'abc',
  'ba',
  'é',
  'ß',
  '\u{1F600}',
  '\uE000',
  'a b',
  '1',
  '$a',
  'a.b',
  'a\nb',
  'a\0b',
  'a\0',
];
const DATES = [
  '1970-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '1900-02-28T12:00:00.001Z',
  '2000-02-29T12:30:45.678Z',
  '2023-01-01T00:00:00.000Z',
  '2023-10-31T05:06:07.089Z',
  '2024-02-29T23:59:59.999Z',
  '2024-03-31T00:59:59.000Z',
  '2024-07-01T12:00:00.500Z',
  '2024-12-30T10:00:00.000Z',
  '0001-01-01T00:00:00.000Z',
  '9999-12-31T23:59:59.999Z',
].map((text) => new Date(text));
const OBJECT_IDS = [
  '0'.repeat(24),
  `65a1b2c3${'0'.repeat(16)}`,
  `65a1b2c3${'f'.repeat(16)}`,
  `ffffffff${'1'.repeat(16)}`,
];
const PATTERNS = [
  ['a', ''],
  ['^a', ''],
  ['b$', ''],
  ['A', 'i'],
  ['^a.?b', ''],
  ['^$', ''],
  ['[ab]c?', ''],
  ['a b', ''],
] as const;

export function regex(random: Random): BSONRegExp {
  const [pattern, options] = random.pick(PATTERNS);
  return new BSONRegExp(pattern, options);
}

export const number = (random: Random): BsonValue =>
  random.chance(0.75) ? random.pick(SMALL_NUMBERS) : random.pick(ODD_NUMBERS);
const text = (random: Random): string => random.pick(TEXTS);
export const date = (random: Random): Date => random.pick(DATES);

function binary(random: Random): Binary {
  return new Binary(Buffer.from(random.list(0, 2, () => random.int(0, 2))), random.pick([0, 0, 5, 128]));
}

export function scalar(random: Random): BsonValue {
  return random.weighted<BsonValue>([
    [40, () => number(random)],
    [25, () => text(random)],
    [10, () => null],
    [7, () => random.chance(0.5)],
    [7, () => date(random)],
    [4, () => new ObjectId(random.pick(OBJECT_IDS))],
    [2, () => regex(random)],
    [2, () => binary(random)],
    [1, () => new MinKey()],
    [1, () => new MaxKey()],
    [2, () => new Timestamp({ t: random.int(1, 2), i: random.int(0, 1) })],
  ]);
}

/** Names of fields within a field; digits as well, which are positions in arrays. */
const INNER_NAMES = ['a', 'b', 'c', 'a', 'b', '0', '1'];

function subdocument(random: Random, depth: number): Document {
  return new Map(random.list(0, 3, () => [random.pick(INNER_NAMES), value(random, depth - 1)] as const));
}

export function value(random: Random, depth = 2): BsonValue {
  if (depth <= 0) return scalar(random);
  return random.weighted<BsonValue>([
    [60, () => scalar(random)],
    [20, () => random.list(0, 3, () => value(random, depth - 1))],
    [14, () => subdocument(random, depth)],
    // Documents with the same fields: where conditions on two of them must not be mixed up.
    [6, () => random.list(1, 3, () => subdocument(random, 1))],
  ]);
}

/** Fields that mostly hold a value of one type, for expressions to compute with. */
const TYPED: Record<string, (random: Random) => BsonValue> = {
  n: number,
  m: number,
  s: text,
  t: date,
  list: (random) => random.list(0, 4, () => (random.chance(0.8) ? number(random) : scalar(random))),
};

/** What a document may be found by. */
function id(random: Random): BsonValue {
  return random.weighted<BsonValue>([
    [60, () => int(random.int(0, 40))],
    [10, () => new Double(random.int(0, 40))],
    [10, () => text(random)],
    [10, () => scalarId(random)],
    [4, () => subdocument(random, 1)],
  ]);
}

function scalarId(random: Random): BsonValue {
  const found = scalar(random);
  return found instanceof BSONRegExp ? 'r' : found;
}

export function document(random: Random): Document {
  const result: Document = new Map([['_id', id(random)]]);
  for (const name of random.some(0, 3, ['a', 'b', 'c'])) result.set(name, value(random, 3));
  for (const [name, make] of Object.entries(TYPED)) {
    if (random.chance(0.8)) result.set(name, random.chance(0.97) ? make(random) : scalar(random));
  }
  return result;
}

const PATHS = 'a a b b c a.b a.a b.a a.b.c a.0 a.1 a.0.b a.b.0 b.0 n s t list _id'.split(' ');
export const path = (random: Random): string => random.pick(PATHS);

/** A value that some document has at the top, or any. */
export function knownValue(random: Random, documents: readonly Document[]): BsonValue {
  if (documents.length === 0 || random.chance(0.5)) return value(random);
  const fields = [...random.pick(documents).values()];
  const found = random.pick(fields);
  if (random.chance(0.6)) return found;
  const inner = found instanceof Map || Array.isArray(found) ? [...found.values()] : [];
  return inner.length === 0 ? found : random.pick(inner);
}
