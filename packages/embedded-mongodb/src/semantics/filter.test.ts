import { describe, expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import {
  Binary,
  BSON_UNDEFINED,
  BSONSymbol,
  decimal,
  double,
  int32,
  long,
  MaxKey,
  MinKey,
  ObjectId,
} from '../bson/document.ts';
import { matches, parseFilter } from './filter.ts';

type Fields = { [name: string]: Shorthand };

const NAN = double(Number.NaN);
const ID = new ObjectId();

/** Each filter with documents that it matches and documents that it does not. */
const CASES: [title: string, filter: Fields, matching: Fields[], others: Fields[]][] = [
  ['an empty filter matches all', {}, [{}, { a: 1 }], []],
  [
    'equality',
    { a: 1 },
    [{ a: 1 }, { a: double(1) }, { a: long(1) }, { a: decimal('1.0') }, { a: [0, 1] }],
    [{}, { a: '1' }, { a: true }, { a: [[1]] }],
  ],
  [
    'equality beyond 2^53',
    { a: long(2n ** 53n + 1n) },
    [{ a: decimal('9007199254740993') }],
    [{ a: double(2 ** 53) }],
  ],
  ['equality of text', { a: 'x' }, [{ a: 'x' }, { a: new BSONSymbol('x') }, { a: ['y', 'x'] }], [{ a: 'X' }]],
  [
    'equality of an ObjectId',
    { _id: ID },
    [{ _id: new ObjectId(ID.toHexString()) }],
    [{ _id: ID.toHexString() }],
  ],
  [
    'null matches null, undefined and missing',
    { a: null },
    [{}, { a: null }, { a: BSON_UNDEFINED }, { a: [1, null] }],
    [{ a: 0 }, { a: [] }, { a: {} }],
  ],
  [
    'null at a dotted path',
    { 'a.b': null },
    [{}, { a: 1 }, { a: {} }, { a: [{ b: 1 }, {}] }],
    [{ a: [] }, { a: [1] }, { a: { b: 1 } }],
  ],
  [
    'a subdocument is equal in the order of its fields only',
    { a: { x: 1, y: 2 } },
    [{ a: { x: 1, y: 2 } }, { a: { x: double(1), y: 2 } }],
    [{ a: { y: 2, x: 1 } }, { a: { x: 1 } }, { a: { x: 1, y: 2, z: 3 } }],
  ],
  [
    'an array as a whole or as an element',
    { a: [1, 2] },
    [{ a: [1, 2] }, { a: [[1, 2], 3] }],
    [{ a: [2, 1] }, { a: [1, 2, 3] }],
  ],
  ['an empty array', { a: [] }, [{ a: [] }, { a: [[]] }], [{}, { a: null }, { a: [1] }]],
  [
    'a dotted path through documents',
    { 'a.b.c': 1 },
    [{ a: { b: { c: 1 } } }],
    [{ a: { b: 1 } }, { 'a.b.c': 1 }],
  ],
  [
    'a dotted path through arrays',
    { 'a.b': 2 },
    [{ a: [{ b: 1 }, { b: 2 }] }, { a: [{ b: [3, 2] }] }],
    [{ a: [[{ b: 2 }]] }, { a: [{ b: [[2]] }] }],
  ],
  [
    'a number in a path is a place or a name',
    { 'a.1': 5 },
    [{ a: [4, 5] }, { a: { 1: 5 } }, { a: [{ 1: 5 }] }],
    [{ a: [5, 4] }, { a: [0, [5]] }],
  ],
  [
    'a place, then a field',
    { 'a.0.b': 1 },
    [{ a: [{ b: 1 }] }, { a: [[{ b: 1 }]] }],
    [{ a: [{ b: 2 }, { b: 1 }] }],
  ],
  [
    '$gt stays within the type',
    { a: { $gt: 5 } },
    [{ a: 6 }, { a: long(6) }, { a: [1, 6] }],
    [{ a: 5 }, { a: '6' }, {}, { a: null }, { a: NAN }, { a: new Date() }],
  ],
  ['$gte and $lte of null match null and missing', { a: { $gte: null } }, [{}, { a: null }], [{ a: 1 }]],
  ['$lt on text', { a: { $lt: 'b' } }, [{ a: 'a' }, { a: '' }], [{ a: 'b' }, { a: 1 }]],
  [
    'a range over an array may be met by two elements',
    { a: { $gt: 5, $lt: 3 } },
    [{ a: [1, 9] }],
    [{ a: [4] }],
  ],
  ['$gte on dates', { a: { $gte: new Date(10) } }, [{ a: new Date(10) }], [{ a: new Date(9) }, { a: 11 }]],
  [
    '$gt on documents',
    { a: { $gt: { x: 1 } } },
    [{ a: { x: 2 } }, { a: { x: 1, y: 1 } }],
    [{ a: { x: 1 } }, { a: 5 }],
  ],
  ['NaN equals NaN and is in no range', { a: NAN }, [{ a: NAN }, { a: decimal('NaN') }], [{ a: 1 }, {}]],
  [
    '$gt MinKey matches all but MinKey',
    { a: { $gt: new MinKey() } },
    [{ a: 1 }, {}, { a: null }],
    [{ a: new MinKey() }],
  ],
  ['$lt MaxKey matches all but MaxKey', { a: { $lt: new MaxKey() } }, [{ a: 'x' }], [{ a: new MaxKey() }]],
  [
    '$ne of an array means no element',
    { a: { $ne: 1 } },
    [{}, { a: 2 }, { a: [2] }],
    [{ a: 1 }, { a: [1, 2] }],
  ],
  ['$ne null', { a: { $ne: null } }, [{ a: 1 }, { a: [] }], [{}, { a: null }, { a: [null] }]],
  [
    '$in',
    { a: { $in: [1, 'x', null, /^z/] } },
    [{ a: double(1) }, { a: 'x' }, {}, { a: 'zoo' }, { a: [9, 1] }],
    [{ a: 2 }, { a: 'y' }],
  ],
  ['$in of nothing', { a: { $in: [] } }, [], [{}, { a: 1 }, { a: [] }]],
  ['$in with arrays', { a: { $in: [[1, 2]] } }, [{ a: [1, 2] }, { a: [[1, 2]] }], [{ a: 1 }]],
  [
    'a long $in',
    { a: { $in: [9, 8, 7, 6, 5, 4, 3, 2, 1, long(0), null] } },
    [{ a: double(5) }, { a: 0 }, {}, { a: BSON_UNDEFINED }],
    [{ a: 10 }, { a: '5' }, { a: NAN }],
  ],
  ['$nin', { a: { $nin: [1, null] } }, [{ a: 2 }, { a: [] }], [{}, { a: [1, 2] }]],
  [
    '$and, $or and $nor',
    { $and: [{ a: 1 }], $or: [{ b: 1 }, { c: 1 }], $nor: [{ d: 1 }] },
    [{ a: 1, c: 1 }],
    [{ a: 1 }, { a: 1, b: 1, d: 1 }],
  ],
  ['$not', { a: { $not: { $gt: 5 } } }, [{}, { a: 5 }, { a: 'x' }], [{ a: 6 }, { a: [1, 6] }]],
  ['$not with a regular expression', { a: { $not: /^x/ } }, [{ a: 'ax' }, {}], [{ a: 'xa' }]],
  ['$exists', { a: { $exists: true } }, [{ a: null }, { a: [] }], [{}]],
  ['$exists: 0', { a: { $exists: 0 } }, [{}], [{ a: null }]],
  [
    '$exists within an array',
    { 'a.b': { $exists: true } },
    [{ a: [{}, { b: null }] }],
    [{ a: [] }, { a: [{}] }],
  ],
  ['$type by name', { a: { $type: 'int' } }, [{ a: 1 }, { a: ['x', 1] }], [{ a: double(1) }, {}]],
  ['$type array', { a: { $type: 'array' } }, [{ a: [] }, { a: [1] }], [{ a: 1 }]],
  [
    '$type number, or by number',
    { a: { $type: ['number', 2] } },
    [{ a: decimal('1') }, { a: 'x' }],
    [{ a: null }],
  ],
  ['$type minKey by -1', { a: { $type: -1 } }, [{ a: new MinKey() }], [{ a: 1 }]],
  [
    '$regex with options',
    { a: { $regex: '^AB.c$', $options: 'is' } },
    [{ a: 'ab\nC' }, { a: 'abxc\n' }],
    [{ a: 'xabxc' }, { a: 1 }],
  ],
  [
    'a regular expression and its own value',
    { a: /x/i },
    [{ a: 'aXb' }, { a: ['x'] }, { a: /x/i }],
    [{ a: /x/ }, { a: 'y' }],
  ],
  ['$eq with a regular expression is equality', { a: { $eq: /x/ } }, [{ a: /x/ }], [{ a: 'x' }]],
  [
    '$mod',
    { a: { $mod: [4, 1] } },
    [{ a: 5 }, { a: 5.9 }, { a: long(9) }, { a: decimal('1.5') }],
    [{ a: 4 }, { a: -5 }, { a: 'x' }, { a: NAN }],
  ],
  ['$mod of a negative', { a: { $mod: [4, -1] } }, [{ a: -5 }], [{ a: 3 }]],
  ['$size', { a: { $size: 2 } }, [{ a: [1, 2] }], [{ a: [1] }, { a: 2 }, {}, { a: [[1, 2]] }]],
  ['$all', { a: { $all: [1, 2] } }, [{ a: [2, 1, 3] }], [{ a: [1] }, { a: 1 }]],
  ['$all with one value matches a scalar', { a: { $all: [1] } }, [{ a: 1 }, { a: [1] }], [{}]],
  ['$all of nothing', { a: { $all: [] } }, [], [{ a: [] }, {}]],
  [
    '$all of $elemMatch',
    { a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: 2 } }] } },
    [{ a: [{ x: 1 }, { x: 2 }] }],
    [{ a: [{ x: 1 }] }],
  ],
  [
    '$elemMatch on documents',
    { a: { $elemMatch: { x: 1, y: { $gt: 1 } } } },
    [{ a: [{ x: 1, y: 2 }] }],
    [
      {
        a: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      },
      { a: { x: 1, y: 2 } },
    ],
  ],
  [
    '$elemMatch on values',
    { a: { $elemMatch: { $gt: 3, $lt: 5 } } },
    [{ a: [1, 4] }],
    [{ a: [1, 9] }, { a: 4 }],
  ],
  [
    '$elemMatch with $not',
    { a: { $elemMatch: { $not: { $gt: 3 } } } },
    [{ a: [9, 1] }],
    [{ a: [9] }, { a: [] }],
  ],
  [
    '$elemMatch with $or',
    { a: { $elemMatch: { $or: [{ x: 1 }, { y: 1 }] } } },
    [{ a: [{ y: 1 }] }],
    [{ a: [{ z: 1 }] }],
  ],
  ['$elemMatch with an empty filter', { a: { $elemMatch: {} } }, [{ a: [{}] }], [{ a: [] }, { a: [1] }]],
  ['$elemMatch sees an inner array by places', { a: { $elemMatch: { 0: 7 } } }, [{ a: [[7]] }], [{ a: [7] }]],
  [
    '$elemMatch along a path',
    { 'a.b': { $elemMatch: { $gt: 1 } } },
    [{ a: [{ b: [2] }] }],
    [{ a: [{ b: 2 }] }],
  ],
  ['$comment is ignored', { a: 1, $comment: 'why' }, [{ a: 1 }], [{ a: 2 }]],
  [
    '$bitsAllSet',
    { a: { $bitsAllSet: [0, 2] } },
    [{ a: 5 }, { a: double(7) }, { a: new Binary(Uint8Array.of(5), 0) }, { a: -1 }],
    [{ a: 4 }, { a: 5.5 }, { a: 'x' }],
  ],
  ['$bitsAllClear', { a: { $bitsAllClear: 5 } }, [{ a: 2 }], [{ a: 1 }]],
  [
    '$bitsAnySet and $bitsAnyClear',
    { a: { $bitsAnySet: 3, $bitsAnyClear: 3 } },
    [{ a: 1 }],
    [{ a: 3 }, { a: 0 }],
  ],
  [
    'a DBRef is a document',
    { a: { $ref: 'c', $id: 1 } },
    [{ a: { $ref: 'c', $id: 1 } }],
    [{ a: { $ref: 'd', $id: 1 } }],
  ],
];

const REFUSED: [title: string, filter: Fields, code: number][] = [
  ['an unknown top level operator', { $foo: 1 }, 2],
  ['an unknown operator', { a: { $foo: 1 } }, 2],
  ['a name among operators', { a: { $gt: 1, b: 2 } }, 2],
  ['$where', { $where: '1' }, 2],
  ['$text', { $text: { $search: 'x' } }, 27],
  ['$near', { a: { $near: [1, 2] } }, 291],
  ['$geoWithin', { a: { $geoWithin: {} } }, 238],
  ['$and without an array', { $and: {} }, 2],
  ['an empty $or', { $or: [] }, 2],
  ['$or of no objects', { $or: [1] }, 2],
  ['$in without an array', { a: { $in: 1 } }, 2],
  ['operators in $in', { a: { $in: [{ $gt: 1 }] } }, 2],
  ['$ne with a regular expression', { a: { $ne: /x/ } }, 2],
  ['$gt with a regular expression', { a: { $gt: /x/ } }, 2],
  ['$not of a value', { a: { $not: 1 } }, 2],
  ['an empty $not', { a: { $not: {} } }, 2],
  ['$options alone', { a: { $options: 'i' } }, 2],
  ['$regex of a number', { a: { $regex: 1 } }, 2],
  ['an unknown regex option', { a: { $regex: 'x', $options: 'g' } }, 51108],
  ['options given twice', { a: { $regex: /x/i, $options: 'm' } }, 51075],
  ['a broken pattern', { a: { $regex: '(' } }, 51091],
  ['a recursive pattern', { a: { $regex: '(a(?R)?)' } }, 238],
  ['a back reference', { a: { $regex: '(a)?\\1' } }, 238],
  ['an unknown type name', { a: { $type: 'float' } }, 2],
  ['an unknown type number', { a: { $type: 99 } }, 2],
  ['$mod with one number', { a: { $mod: [1] } }, 2],
  ['$mod by zero', { a: { $mod: [0, 1] } }, 2],
  ['$size of a text', { a: { $size: 'x' } }, 2],
  ['a negative $size', { a: { $size: -1 } }, 2],
  ['a broken $size', { a: { $size: 1.5 } }, 2],
  ['$all without an array', { a: { $all: 1 } }, 2],
  ['operators in $all', { a: { $all: [{ $gt: 1 }] } }, 2],
  ['$elemMatch of a value', { a: { $elemMatch: 1 } }, 2],
  ['equality with undefined', { a: BSON_UNDEFINED }, 2],
  ['a negative bit position', { a: { $bitsAllSet: [-1] } }, 9],
];

describe('a filter matches what MongoDB matches', () => {
  it.each(CASES)('%s', (_title, filter, matching, others) => {
    const node = parseFilter(doc(filter));
    expect(matching.filter((fields) => !matches(node, doc(fields)))).toEqual([]);
    expect(others.filter((fields) => matches(node, doc(fields)))).toEqual([]);
  });

  it.each(REFUSED)('%s is refused', (_title, filter, code) => {
    expect(codeOf(() => parseFilter(doc(filter)))).toBe(code);
  });

  it('$expr compares fields of one document, and knows the variables it is given', () => {
    const node = parseFilter(doc({ $expr: { $gt: ['$a', { $add: ['$b', '$$more'] }] } }), {
      variables: new Map([['more', int32(1)]]),
    });
    expect(matches(node, doc({ a: 4, b: 2 }))).toBe(true);
    expect(matches(node, doc({ a: 3, b: 2 }))).toBe(false);
    expect(codeOf(() => parseFilter(doc({ $expr: '$$unknown' })))).toBe(17276);
    expect(codeOf(() => parseFilter(doc({ a: { $elemMatch: { $expr: true } } })))).toBe(224);
  });

  it('a filter that is no document is refused', () => {
    expect(codeOf(() => parseFilter(int32(1)))).toBe(9);
  });

  it.each<[string, Fields, Fields, number | undefined]>([
    ['an element', { a: 5 }, { a: [4, 5] }, 1],
    ['an element of documents', { 'a.b': 5 }, { a: [{ b: 1 }, { b: [4, 5] }] }, 1],
    ['$elemMatch', { a: { $elemMatch: { b: 1, c: 1 } } }, { a: [{ b: 1 }, { c: 1 }, { b: 1, c: 1 }] }, 2],
    ['the last condition decides', { a: 4, b: 7 }, { a: [4], b: [5, 6, 7] }, 2],
    ['no array', { a: 5 }, { a: 5 }, undefined],
    ['$or', { $or: [{ a: 9 }, { a: 5 }] }, { a: [4, 5] }, 1],
    ['a place that is named', { 'a.1': 5 }, { a: [4, 5] }, undefined],
  ])('the position of a match is told: %s', (_title, filter, document, expected) => {
    const position = { index: undefined };
    expect(matches(parseFilter(doc(filter)), doc(document), position)).toBe(true);
    expect(position.index).toBe(expected);
  });

  it('a planner finds the conditions that must hold in one flat list', () => {
    const node = parseFilter(doc({ a: 1, $and: [{ b: { $gt: 1, $lt: 5 } }, { c: { $in: [1] } }] }));
    expect(node.kind === 'and' && node.children.map((child) => child.kind === 'path' && child.path)).toEqual([
      'a',
      'b',
      'b',
      'c',
    ]);
  });
});

describe("patterns run by PCRE's rules", () => {
  it.each<[pattern: string, options: string, text: string, expected: boolean]>([
    ['a.b', '', 'a\rb', true],
    ['a.b', '', 'a\nb', false],
    ['^b', 'm', 'a\nb', true],
    ['^b', 'm', 'a\rb', false],
    ['a$', '', 'a\n', true],
    ['a$', '', 'a\nb', false],
    ['a$', 'm', 'a\nb', true],
    ['\\Aa\\z', '', 'a\n', false],
    ['^\\s$', '', '\u00a0', false],
    ['^[\\s]$', '', '\t', true],
    ['^[^\\S]$', '', '\t', true],
    ['a b # c', 'x', 'ab', true],
    ['(?i)AB', '', 'xaby', true],
    ['^[[:digit:]_-]+$', '', '12_-3', true],
    ['^[[:^digit:]]+$', '', '12', false],
    ['\\Qa.b\\E', '', 'axb', false],
    ['^{a}$', '', '{a}', true],
    ['^a{2}$', '', 'aa', true],
    ['^[]a]+$', '', ']a', true],
    ['\\-\\_\\@\\/', '', '-_@/', true],
    ['^\\x{1F600}$', '', '\u{1F600}', true],
    ['^.$', '', '\u{1F600}', true],
    ['(?P<x>a)b', '', 'ab', true],
    ['^$', 'm', 'a\n', false],
    ['^$', 'm', 'a\n\nb', true],
    ['^[a-c.&&|]+$', '', 'b.&&|', true],
    ['É', 'i', 'é', true],
  ])('/%s/%s', (pattern, options, text, expected) => {
    const node = parseFilter(doc({ a: { $regex: pattern, $options: options } }));
    expect(matches(node, doc({ a: value(text) }))).toBe(expected);
  });
});
