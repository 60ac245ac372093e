import fc from 'fast-check';
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
} from '../src/bson/document.ts';

const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

const decimalText = fc
  .tuple(fc.bigInt(-(10n ** 34n) + 1n, 10n ** 34n - 1n), fc.integer({ min: -6176, max: 6000 }))
  .map(([coefficient, exponent]) => `${coefficient}E${exponent}`);

/** Numbers that are close together across the four numeric types, and the limits of each type. */
export const arbitraryNumber: fc.Arbitrary<BsonValue> = fc.oneof(
  fc.integer().map((value) => new Int32(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => new Int32(value)),
  fc.integer({ min: -3, max: 3 }).map((value) => new Double(value / 2)),
  fc.integer({ min: -3, max: 3 }).map((value) => Long.fromNumber(value)),
  fc.integer({ min: -30, max: 30 }).map((value) => Decimal128.fromString(`${value / 10}`)),
  fc.double().map((value) => new Double(value)),
  fc.bigInt(MIN_INT64, MAX_INT64).map((value) => Long.fromBigInt(value)),
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n).map((value) => Long.fromBigInt(value)),
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n).map((value) => new Double(Number(value))),
  fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n).map((value) => Decimal128.fromString(`${value}.0`)),
  fc
    .constantFrom('NaN', 'Infinity', '-Infinity', '-0', '0E+3', '0.1', '1E-400', '-1E-400', '1E400', '9E6144')
    .map((text) => Decimal128.fromString(text)),
  fc.constantFrom(0.1, -0, 5e-324, 1.7976931348623157e308).map((value) => new Double(value)),
  decimalText.map((text) => Decimal128.fromString(text)),
);

const arbitraryText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('', 'a', 'a\0', 'a\0b', 'ab', '\u{1F600}', '\uFFFD', '\uE000'),
);
const arbitraryName = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '1', 'é', '$'), maxLength: 3 }),
  fc.constantFrom('__proto__', 'constructor'),
);

const arbitraryScalar: fc.Arbitrary<BsonValue> = fc.oneof(
  arbitraryNumber,
  arbitraryText,
  fc.boolean(),
  fc.constant(null),
  fc.date({ noInvalidDate: true }),
  fc.integer({ min: -3, max: 3 }).map((ms) => new Date(ms)),
  fc.integer({ min: 0, max: 3 }).map((ms) => new Date(1_800_000_000_000 + ms)),
  fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes)),
  fc
    .tuple(fc.uint8Array({ maxLength: 4 }), fc.constantFrom(0, 4, 128))
    .map(([bytes, subtype]) => new Binary(Buffer.from(bytes), subtype)),
  fc.tuple(fc.nat(), fc.nat(3)).map(([t, i]) => new Timestamp({ t, i })),
  fc.constantFrom(new BSONRegExp('a', ''), new BSONRegExp('a', 'i'), new BSONRegExp('ab', '')),
  fc.constant(new MinKey()),
  fc.constant(new MaxKey()),
);

const trees = fc.letrec<{ value: BsonValue; array: BsonValue[]; document: Document }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    arbitraryScalar,
    tie('array'),
    tie('document'),
  ),
  array: fc.array(tie('value'), { maxLength: 3 }),
  document: fc
    .array(fc.tuple(arbitraryName, tie('value')), { maxLength: 4 })
    .map((fields) => new Map(fields)),
}));

export const arbitraryValue: fc.Arbitrary<BsonValue> = trees.value;
export const arbitraryDocument: fc.Arbitrary<Document> = trees.document;
