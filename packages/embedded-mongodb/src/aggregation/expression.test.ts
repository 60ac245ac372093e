import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryValue } from '../../test/arbitrary-values.ts';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type BsonValue, decimal, double, int32, long, ObjectId, Timestamp } from '../bson/document.ts';
import { compareValues } from '../semantics/compare.ts';
import { compileExpression } from './expression.ts';

type Fields = { [name: string]: Shorthand };

const NOW = new Date('2026-02-03T04:05:06.007Z');
const MISSING = Symbol('missing');
const MAX_INT = 2147483647;
/** Not written as a plain name: an object with `then` looks like a promise to linters and to `await`. */
const THEN = 'then';

function evaluate(expression: Shorthand, fields: Fields = {}): BsonValue | typeof MISSING {
  const result = compileExpression(value(expression))({ root: doc(fields), now: NOW, variables: new Map() });
  return result === undefined ? MISSING : result;
}

const CASES: [expression: Shorthand, fields: Fields, expected: Shorthand | typeof MISSING][] = [
  // Paths and variables
  ['$a', { a: 1 }, 1],
  ['$a', {}, MISSING],
  ['$a.b', { a: { b: 'x' } }, 'x'],
  ['$a.b', { a: [{ b: 1 }, 5, {}, { b: 2 }] }, [1, 2]],
  ['$a.0', { a: [1, 2] }, []],
  ['$$ROOT', { a: 1 }, { a: 1 }],
  ['$$ROOT.a', { a: 1 }, 1],
  ['$$NOW', {}, NOW],
  ['$$REMOVE', {}, MISSING],
  [{ x: '$a', y: '$none' }, { a: 1 }, { x: 1 }],
  [['$a', '$none'], { a: 1 }, [1, null]],
  [{ $literal: '$a' }, {}, '$a'],
  [{ $let: { vars: { x: '$a' }, in: { $add: ['$$x', 1] } } }, { a: 1 }, 2],
  // Comparison, of any types
  [{ $eq: ['$a', double(1)] }, { a: 1 }, true],
  [{ $eq: ['$none', null] }, {}, false],
  [{ $gt: ['$a', 5] }, { a: 'x' }, true],
  [{ $lt: ['$none', null] }, {}, true],
  [{ $cmp: [1, 2] }, {}, -1],
  [{ $eq: [long(2n ** 53n + 1n), double(2 ** 53)] }, {}, false],
  // Conditions
  [{ $and: [1, '$none'] }, {}, false],
  [{ $or: [0, 'x'] }, {}, true],
  [{ $and: [] }, {}, true],
  [{ $not: ['$a'] }, { a: null }, true],
  [{ $cond: [{ $gt: ['$a', 1] }, 'yes', 'no'] }, { a: 2 }, 'yes'],
  [{ $cond: { if: '$none', [THEN]: 1, else: 2 } }, {}, 2],
  [{ $ifNull: ['$none', null, 'z'] }, {}, 'z'],
  [{ $ifNull: ['$a', 'z'] }, { a: 0 }, 0],
  [
    {
      $switch: {
        branches: [
          { case: false, [THEN]: 1 },
          { case: true, [THEN]: 2 },
        ],
      },
    },
    {},
    2,
  ],
  [{ $cond: [{ $eq: ['$a', 0] }, 0, { $divide: [1, '$a'] }] }, { a: 0 }, 0],
  // Arithmetic keeps types
  [{ $add: [1, 2] }, {}, 3],
  [{ $add: [MAX_INT, 1] }, {}, long(2147483648n)],
  [{ $add: [long(2n ** 63n - 1n), 1] }, {}, double(2 ** 63)],
  [{ $add: [1, 0.5] }, {}, 1.5],
  [{ $add: [0.1, 0.2, 0.3, -0.6] }, {}, double(2.7755575615628914e-17)],
  [{ $add: [1, decimal('0.10')] }, {}, decimal('1.10')],
  [{ $add: [1, null] }, {}, null],
  [{ $add: [new Date(0), 5] }, {}, new Date(5)],
  [{ $subtract: [new Date(9), new Date(4)] }, {}, long(5)],
  [{ $subtract: [new Date(9), 4] }, {}, new Date(5)],
  [{ $multiply: [2, 3] }, {}, 6],
  [{ $multiply: [MAX_INT, MAX_INT] }, {}, long(BigInt(MAX_INT) * BigInt(MAX_INT))],
  [{ $divide: [6, 3] }, {}, double(2)],
  [{ $divide: [decimal('1'), decimal('8')] }, {}, decimal('0.125')],
  [{ $divide: [decimal('1'), decimal('3')] }, {}, decimal('0.3333333333333333333333333333333333')],
  [{ $mod: [7, 4] }, {}, 3],
  [{ $mod: [-7, 4] }, {}, -3],
  [{ $mod: [7.5, 4] }, {}, 3.5],
  [{ $abs: -5 }, {}, 5],
  [{ $abs: -2147483648 }, {}, long(2147483648n)],
  [{ $floor: -1.5 }, {}, double(-2)],
  [{ $round: [2.5] }, {}, double(2)],
  [{ $round: 3.5 }, {}, double(4)],
  [{ $sqrt: 9 }, {}, double(3)],
  [{ $sum: '$a' }, { a: [1, 2, 'x', long(3)] }, long(6)],
  [{ $sum: ['$a', '$b'] }, { a: 1, b: 2 }, 3],
  [{ $avg: '$a' }, { a: [1, 2] }, 1.5],
  [{ $max: ['$a', 3] }, { a: 2 }, 3],
  [{ $min: '$a' }, { a: [] }, null],
  // Arrays
  [{ $size: '$a' }, { a: [1, 2] }, 2],
  [{ $in: [2, '$a'] }, { a: [1, double(2)] }, true],
  [{ $arrayElemAt: ['$a', -1] }, { a: [1, 2] }, 2],
  [{ $arrayElemAt: ['$a', 5] }, { a: [1] }, MISSING],
  [{ $first: '$a' }, { a: [1, 2] }, 1],
  [{ $last: '$a' }, { a: [] }, MISSING],
  [{ $concatArrays: ['$a', [3]] }, { a: [1] }, [1, 3]],
  [{ $concatArrays: ['$a', '$none'] }, { a: [1] }, null],
  [{ $slice: ['$a', 1, 2] }, { a: [1, 2, 3, 4] }, [2, 3]],
  [{ $slice: ['$a', -2] }, { a: [1, 2, 3] }, [2, 3]],
  [{ $isArray: '$a' }, { a: [] }, true],
  [{ $reverseArray: '$a' }, { a: [1, 2] }, [2, 1]],
  [{ $indexOfArray: ['$a', 2] }, { a: [1, 2] }, 1],
  [{ $range: [0, 5, 2] }, {}, [0, 2, 4]],
  [{ $map: { input: '$a', as: 'x', in: { $multiply: ['$$x', 2] } } }, { a: [1, 2] }, [2, 4]],
  [{ $filter: { input: '$a', cond: { $gt: ['$$this', 1] } } }, { a: [1, 2, 3] }, [2, 3]],
  [{ $filter: { input: '$a', cond: true, limit: 1 } }, { a: [1, 2, 3] }, [1]],
  [{ $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, { a: [1, 2, 3] }, 6],
  [{ $sortArray: { input: '$a', sortBy: { k: -1 } } }, { a: [{ k: 1 }, { k: 2 }] }, [{ k: 2 }, { k: 1 }]],
  [
    {
      $setUnion: [
        [2, 1],
        [1, 3],
      ],
    },
    {},
    [1, 2, 3],
  ],
  [
    {
      $setIntersection: [
        [1, 2],
        [2, 3],
      ],
    },
    {},
    [2],
  ],
  [{ $setDifference: [[1, 2, 1], [2]] }, {}, [1]],
  [{ $setIsSubset: [[1], [1, 2]] }, {}, true],
  [
    {
      $setEquals: [
        [1, 2, 1],
        [2, 1],
      ],
    },
    {},
    true,
  ],
  // Text
  [{ $concat: ['a', '$b'] }, { b: 'c' }, 'ac'],
  [{ $concat: ['a', null] }, {}, null],
  [{ $toUpper: 'aé' }, {}, 'Aé'],
  [{ $toLower: '$none' }, {}, ''],
  [{ $strLenCP: 'é\u{1F600}' }, {}, 2],
  [{ $strLenBytes: 'é' }, {}, 2],
  [{ $substrCP: ['héllo', 1, 3] }, {}, 'éll'],
  [{ $substrBytes: ['hello', 1, -1] }, {}, 'ello'],
  [{ $indexOfCP: ['abc', 'c'] }, {}, 2],
  [{ $split: ['a-b', '-'] }, {}, ['a', 'b']],
  [{ $replaceAll: { input: 'a.a$', find: 'a', replacement: '$b' } }, {}, null],
  [{ $replaceAll: { input: 'a.a', find: 'a', replacement: 'b' } }, {}, 'b.b'],
  [{ $regexMatch: { input: 'Hello', regex: /^h/i } }, {}, true],
  [{ $trim: { input: ' \u00a0x ' } }, {}, 'x'],
  [{ $ltrim: { input: 'xxax', chars: 'x' } }, {}, 'ax'],
  [{ $rtrim: { input: 'xaxx', chars: 'x' } }, {}, 'xa'],
  [{ $strcasecmp: ['abc', 'ABC'] }, {}, 0],
  // Documents
  [{ $mergeObjects: ['$a', { y: 2 }] }, { a: { x: 1, y: 1 } }, { x: 1, y: 2 }],
  [{ $objectToArray: '$a' }, { a: { x: 1 } }, [{ k: 'x', v: 1 }]],
  [{ $arrayToObject: [[['x', 1]]] }, {}, { x: 1 }],
  [{ $getField: 'a' }, { a: 1 }, 1],
  [{ $getField: { field: { $literal: '$p' }, input: '$a' } }, { a: { $p: 1 } }, 1],
  [{ $setField: { field: 'b', input: '$$ROOT', value: 2 } }, { a: 1 }, { a: 1, b: 2 }],
  [{ $unsetField: { field: 'a', input: '$$ROOT' } }, { a: 1, b: 2 }, { b: 2 }],
  // Types
  [{ $type: '$a' }, { a: long(1) }, 'long'],
  [{ $type: '$none' }, {}, 'missing'],
  [{ $toInt: '12' }, {}, 12],
  [{ $toInt: 1.9 }, {}, 1],
  [{ $convert: { input: 'x', to: 'int', onError: -1 } }, {}, -1],
  [{ $convert: { input: '$none', to: 'int', onNull: 'null' } }, {}, 'null'],
  [{ $convert: { input: 5, to: 2 } }, {}, '5'],
  [{ $toLong: new Date(5) }, {}, long(5)],
  [{ $toDouble: '1e3' }, {}, double(1000)],
  [{ $toDecimal: '1.10' }, {}, decimal('1.10')],
  [{ $toString: 1.5 }, {}, '1.5'],
  [{ $toString: NOW }, {}, '2026-02-03T04:05:06.007Z'],
  [{ $toBool: 'false' }, {}, true],
  [{ $toDate: '2026-02-03' }, {}, new Date('2026-02-03T00:00:00Z')],
  [{ $toObjectId: '64b7f0c2a1b2c3d4e5f60718' }, {}, new ObjectId('64b7f0c2a1b2c3d4e5f60718')],
  // Dates
  [{ $year: '$d' }, { d: NOW }, 2026],
  [{ $month: { date: '$d' } }, { d: NOW }, 2],
  [{ $hour: { date: '$d', timezone: '-05:30' } }, { d: NOW }, 22],
  [{ $hour: { date: '$d', timezone: 'America/New_York' } }, { d: NOW }, 23],
  [{ $hour: { date: '$d', timezone: 'Europe/Berlin' } }, { d: new Date('2026-07-01T00:00:00Z') }, 2],
  [
    { $dateToString: { date: '$d', format: '%H:%M %z', timezone: 'Asia/Kolkata' } },
    { d: NOW },
    '09:35 +0530',
  ],
  [{ $dayOfWeek: '$d' }, { d: NOW }, 3],
  [{ $dayOfYear: '$d' }, { d: NOW }, 34],
  [{ $isoWeek: '$d' }, { d: new Date('2021-01-03T00:00:00Z') }, 53],
  [{ $isoWeekYear: '$d' }, { d: new Date('2021-01-03T00:00:00Z') }, long(2020)],
  [{ $week: '$d' }, { d: new Date('2022-01-01T00:00:00Z') }, 0],
  [{ $week: '$d' }, { d: new Date('2022-01-02T00:00:00Z') }, 1],
  [{ $year: '$none' }, {}, null],
  [{ $year: new Timestamp({ t: 0, i: 1 }) }, {}, 1970],
  [
    { $dateToString: { date: '$d', format: '%Y-%m-%dT%H:%M:%S.%L%z%%', timezone: '+01:30' } },
    { d: NOW },
    '2026-02-03T05:35:06.007+0130%',
  ],
  [{ $dateToString: { date: '$none', onNull: 'none' } }, {}, 'none'],
  [{ $dateTrunc: { date: '$d', unit: 'hour' } }, { d: NOW }, new Date('2026-02-03T04:00:00Z')],
  [{ $dateTrunc: { date: '$d', unit: 'month' } }, { d: NOW }, new Date('2026-02-01T00:00:00Z')],
  [
    { $dateAdd: { startDate: new Date('2024-01-31T10:00:00Z'), unit: 'month', amount: 1 } },
    {},
    new Date('2024-02-29T10:00:00Z'),
  ],
  [
    { $dateSubtract: { startDate: new Date('2024-01-15T00:00:00Z'), unit: 'quarter', amount: 1 } },
    {},
    new Date('2023-10-15T00:00:00Z'),
  ],
  [{ $dateAdd: { startDate: NOW, unit: 'hour', amount: long(2) } }, {}, new Date('2026-02-03T06:05:06.007Z')],
  [{ $dateAdd: { startDate: '$none', unit: 'hour', amount: 2 } }, {}, null],
  [
    {
      $dateDiff: {
        startDate: new Date('2023-12-31T23:59:59Z'),
        endDate: new Date('2024-01-01T00:00:00Z'),
        unit: 'year',
      },
    },
    {},
    long(1),
  ],
  [{ $dateDiff: { startDate: new Date(999), endDate: new Date(1000), unit: 'second' } }, {}, long(1)],
  [
    {
      $dateDiff: {
        startDate: new Date('2024-01-06T00:00:00Z'),
        endDate: new Date('2024-01-07T00:00:00Z'),
        unit: 'week',
      },
    },
    {},
    long(1),
  ],
  [
    { $dateTrunc: { date: '$d', unit: 'quarter' } },
    { d: new Date('1997-03-18T11:38:31Z') },
    new Date('1997-01-01T00:00:00Z'),
  ],
  [
    { $dateTrunc: { date: '$d', unit: 'week' } },
    { d: new Date('1999-12-31T00:00:00Z') },
    new Date('1999-12-26T00:00:00Z'),
  ],
  [
    { $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'monday' } },
    { d: NOW },
    new Date('2026-02-02T00:00:00Z'),
  ],
  [
    { $dateTrunc: { date: '$d', unit: 'month', binSize: 5 } },
    { d: new Date('2000-07-04T00:00:00Z') },
    new Date('2000-06-01T00:00:00Z'),
  ],
  [{ $replaceOne: { input: 'a.c.', find: '.', replacement: '[$&]' } }, {}, 'a[$&]c.'],
  [{ $acos: 0 }, {}, double(Math.PI / 2)],
  [{ $atan2: [1, 1] }, {}, double(Math.PI / 4)],
  [{ $degreesToRadians: 180 }, {}, double(Math.PI)],
  [{ $sin: 0 }, {}, double(0)],
];

const REFUSED: [title: string, expression: Shorthand, code: number, fields?: Fields][] = [
  ['an unknown operator', { $foo: 1 }, 168],
  ['two operators', { $add: [1], $subtract: [1, 2] }, 15983],
  ['an unknown variable', '$$foo', 17276],
  ['a lone dollar', '$', 16872],
  ['a dot at the end', '$a.', 40353],
  ['a dotted name in a document', { 'a.b': 1 }, 16412],
  ['$add of text', { $add: [1, 'x'] }, 14],
  ['$add of two dates', { $add: [NOW, NOW] }, 16612],
  ['$divide by zero', { $divide: [1, 0] }, 2],
  ['$mod by zero', { $mod: [1, 0] }, 16610],
  ['$subtract of text', { $subtract: ['x', 1] }, 14],
  ['too few arguments', { $eq: [1] }, 16020],
  ['$size of what is no array', { $size: '$a' }, 17124, { a: 1 }],
  ['$in what is no array', { $in: [1, '$a'] }, 40081, { a: 1 }],
  ['$concat of a number', { $concat: ['a', 1] }, 16702],
  ['$cond without else', { $cond: { if: 1, [THEN]: 2 } }, 17082],
  ['$switch without a branch', { $switch: { branches: [{ case: false, [THEN]: 1 }] } }, 40066],
  ['$toInt of no number', { $toInt: 'x' }, 241],
  ['$toInt beyond int32', { $toInt: 3e9 }, 241],
  ['$convert to no type', { $convert: { input: 1, to: 'foo' } }, 2],
  ['a double whose text MongoDB rounds', { $toString: 0.30000000000000004 }, 238],
  ['a double that MongoDB writes with 16 digits', { $toString: 9.95 }, 238],
  ['$dateAdd in a zone', { $dateAdd: { startDate: NOW, unit: 'day', amount: 1, timezone: '+01:00' } }, 238],
  ['$dateToString with an unknown specifier', { $dateToString: { date: NOW, format: '%Q' } }, 18536],
  ['an operator that is not supported', { $function: {} }, 238],
  ['an unknown time zone', { $hour: { date: NOW, timezone: 'Europe/Nowhere' } }, 40485],
  ['$sin of a decimal', { $sin: decimal('1') }, 238],
  ['$asin outside of its domain', { $asin: 2 }, 50989],
  ['$sin of an infinity', { $sin: double(Number.POSITIVE_INFINITY) }, 50989],
  ['$dateTrunc in a zone', { $dateTrunc: { date: NOW, unit: 'day', timezone: '+01:00' } }, 238],
  ['$dateTrunc to no unit', { $dateTrunc: { date: NOW, unit: 'decade' } }, 9],
  ['$replaceAll in a number', { $replaceAll: { input: 1, find: 'a', replacement: 'b' } }, 51746],
];

describe('an expression evaluates to what MongoDB evaluates it to', () => {
  it.each(CASES)('%j of %j', (expression, fields, expected) => {
    expect(evaluate(expression, fields)).toEqual(
      expected === MISSING ? MISSING : value(expected as Shorthand),
    );
  });

  it.each(REFUSED)('%s is refused', (_title, expression, code, fields) => {
    expect(codeOf(() => evaluate(expression, fields))).toBe(code);
  });

  it('comparisons agree with the order of values', () => {
    fc.assert(
      fc.property(arbitraryValue, arbitraryValue, (a, b) => {
        const compare = new Map<string, BsonValue>([
          ['$cmp', [new Map([['$literal', a]]), new Map([['$literal', b]])]],
        ]);
        const result = compileExpression(compare)({ root: new Map(), now: NOW, variables: new Map() });
        expect(result).toEqual(int32(Math.sign(compareValues(a, b)) + 0));
      }),
    );
  });
});
