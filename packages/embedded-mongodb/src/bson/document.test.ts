import * as bson from 'bson';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryDocument } from '../../test/arbitrary-values.ts';
import { codeOf } from '../../test/shorthand.ts';
import {
  Binary,
  BSONRegExp,
  type BsonValue,
  Decimal128,
  type Document,
  Double,
  decode,
  documentOf,
  encode,
  Int32,
  integer,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  typeName,
  typeNumber,
} from './document.ts';
import type { MongoError } from './mongo-error.ts';

const OUT_OF_SCOPE: [name: string, bytes: Uint8Array][] = [
  ['undefined', Uint8Array.of(8, 0, 0, 0, 6, 97, 0, 0)],
  ['DBPointer', bson.serialize({ a: new bson.DBRef('c', new bson.ObjectId()) }).fill(12, 4, 5)],
  ['JavaScript', bson.serialize({ a: new bson.Code('1') })],
  ['Symbol', bson.serialize({ a: new bson.BSONSymbol('s') })],
  ['JavaScript with scope', bson.serialize({ a: new bson.Code('x', { x: 1 }) })],
];

const EVERY_TYPE: [name: string, number: number, value: BsonValue][] = [
  ['double', 1, new Double(-0)],
  ['double', 1, new Double(Number.NaN)],
  ['string', 2, 'grüße\0\u{1F600}\uFEFF'],
  ['string', 2, '\uFEFFleading mark'],
  ['object', 3, documentOf({ inner: null })],
  ['array', 4, [new Int32(1), [], null]],
  ['binData', 5, new Binary(Uint8Array.of(1, 2, 3), 4)],
  ['binData', 5, new Binary(Uint8Array.of(2, 0, 0, 0, 9, 9), 2)],
  ['objectId', 7, new ObjectId('64b7f0c2a1b2c3d4e5f60718')],
  ['bool', 8, false],
  ['date', 9, new Date(-1)],
  ['null', 10, null],
  ['regex', 11, new BSONRegExp('^a.*', 'im')],
  ['int', 16, new Int32(-2147483648)],
  ['timestamp', 17, new Timestamp({ t: 4294967295, i: 1 })],
  ['long', 18, Long.MIN_VALUE],
  ['decimal', 19, Decimal128.fromString('1.10')],
  ['minKey', -1, new MinKey()],
  ['maxKey', 127, new MaxKey()],
];

it.each(OUT_OF_SCOPE)('the BSON codec rejects a value of the type %s', (_name, bytes) => {
  expect(codeOf(() => decode(bytes))).toBe(238);
});

it.each(EVERY_TYPE)('the BSON codec preserves a %s (type %i) exactly', (name, number, value) => {
  const document = documentOf({ before: new Int32(1), value, after: 'end' });
  expect(decode(encode(document))).toEqual(document);
  expect(typeName(value)).toBe(name);
  expect(typeNumber(value)).toBe(number);
});

it('the BSON codec preserves the order of fields, including names that a plain object would move or lose', () => {
  const names = ['b', '10', '2', '__proto__', 'constructor', ''];
  const document: Document = new Map(names.map((name) => [name, new Int32(1)]));
  expect([...decode(encode(document)).keys()]).toEqual(names);
});

it('the BSON codec reads and writes the same bytes as the bson library', () => {
  const plain = {
    a: new bson.Int32(1),
    b: [new bson.Double(1.5), { c: 'd' }],
    e: new Date(0),
    f: new bson.ObjectId(),
    g: bson.Long.fromString('9007199254740993'),
    h: new bson.Binary(Buffer.from('xyz'), 0),
    ['long name '.repeat(20)]: 'long text ü'.repeat(100),
  };
  const bytes = bson.serialize(plain);
  expect(Buffer.from(encode(decode(bytes)))).toEqual(Buffer.from(bytes));
});

it('the BSON codec decodes every encoded document to an equal document', () => {
  fc.assert(
    fc.property(arbitraryDocument, (document) => {
      expect(decode(encode(document))).toEqual(document);
    }),
  );
});

it('the BSON codec supports documents of 16 MiB', () => {
  const document = documentOf({ blob: 'x'.repeat(16 * 1024 * 1024) });
  expect(decode(encode(document)).get('blob')).toHaveLength(16 * 1024 * 1024);
});

it('the BSON codec stores a count as int32, or as int64 if it does not fit', () => {
  expect(integer(7)).toEqual(new Int32(7));
  expect(integer(2 ** 31)).toEqual(Long.fromNumber(2 ** 31));
});

describe('malformed BSON', () => {
  const nested = (depth: number): Document => {
    let document: Document = new Map();
    for (let level = 1; level < depth; level++) document = new Map([['a', document]]);
    return document;
  };

  it.each<[string, number[]]>([
    ['no bytes', []],
    ['too few bytes', [5, 0, 0, 0]],
    ['a length beyond the input', [6, 0, 0, 0, 0]],
    ['bytes after the end', [5, 0, 0, 0, 0, 0]],
    ['a negative length', [0xff, 0xff, 0xff, 0xff, 0]],
    ['no terminator', [5, 0, 0, 0, 1]],
    ['an early terminator', [7, 0, 0, 0, 0, 0, 0]],
    ['an unknown type', [8, 0, 0, 0, 0x20, 0x61, 0, 0]],
    ['a name without end', [8, 0, 0, 0, 0x0a, 0x61, 0x61, 0]],
    ['a string of length zero', [12, 0, 0, 0, 2, 0x61, 0, 0, 0, 0, 0, 0]],
    ['a string longer than the document', [13, 0, 0, 0, 2, 0x61, 0, 9, 0, 0, 0, 0, 0]],
    ['a string without its zero byte', [13, 0, 0, 0, 2, 0x61, 0, 1, 0, 0, 0, 0x62, 0]],
    ['a string that is no UTF-8', [14, 0, 0, 0, 2, 0x61, 0, 2, 0, 0, 0, 0xc3, 0, 0]],
    ['a name that is no UTF-8', [8, 0, 0, 0, 0x0a, 0xff, 0, 0]],
    ['a boolean of 2', [9, 0, 0, 0, 8, 0x61, 0, 2, 0]],
    ['an embedded document that leaves its parent', [13, 0, 0, 0, 3, 0x61, 0, 9, 0, 0, 0, 0, 0]],
    ['a field twice', [11, 0, 0, 0, 0x0a, 0x61, 0, 0x0a, 0x61, 0, 0]],
    ['a date that no JavaScript Date can hold', [16, 0, 0, 0, 9, 0x61, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0]],
  ])('malformed BSON is rejected with InvalidBSON: %s', (_title, bytes) => {
    expect(codeOf(() => decode(Uint8Array.from(bytes)))).toBe(22);
  });

  it('malformed BSON is rejected if it nests more than 200 levels deep', () => {
    expect(decode(encode(nested(200)))).toEqual(nested(200));
    expect(codeOf(() => decode(encode(nested(201))))).toBe(22);
  });

  it('malformed BSON is rejected with InvalidBSON, or with 238 for a type out of scope, if mutated bytes do not decode', () => {
    fc.assert(
      fc.property(arbitraryDocument, fc.nat(), fc.nat(255), fc.nat(), (document, place, byte, cut) => {
        const bytes = encode(document);
        bytes[place % bytes.length] = byte;
        const mutated = cut % 3 === 0 ? bytes.subarray(0, cut % bytes.length) : bytes;
        try {
          decode(mutated);
        } catch (error) {
          expect(error).toMatchObject({ name: 'MongoError' });
          expect([22, 238]).toContain((error as MongoError).code);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('malformed BSON is not written for a field name with a zero byte', () => {
    expect(codeOf(() => encode(new Map([['a\0b', null]])))).toBe(2);
  });
});
