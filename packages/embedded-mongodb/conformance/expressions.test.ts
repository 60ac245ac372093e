import { BSON, type Document } from 'mongodb';
import { describe, expect, test } from 'vitest';
import { prepareGround } from './support/ground.ts';
import { codeOf, day, decimal, double, expectSame, long } from './support/values.ts';

const ground = prepareGround('expressions');

const DOCUMENT: Document = {
  _id: 1,
  n: 5,
  d: double(2.5),
  s: 'Hello',
  list: [3, 1, 2],
  docs: [
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
  ],
  sub: { x: 1, y: null },
  at: new Date('2024-03-15T10:20:30.456Z'),
  nothing: null,
};

/** Not written as a plain name: an object with `then` looks like a promise to linters and to `await`. */
const THEN = 'then';

/** What an expression without a value has. */
const MISSING = Symbol('missing');

describe.each<[string, [expression: unknown, value: unknown][]]>([
  [
    'fields and variables',
    [
      ['$n', 5],
      ['$sub.x', 1],
      ['$missing', MISSING],
      ['$docs.k', ['a', 'b']],
      ['$list.x', []],
      [{ $literal: '$n' }, '$n'],
      [
        { a: '$n', b: 1 },
        { a: 5, b: 1 },
      ],
      [
        ['$n', '$missing'],
        [5, null],
      ],
      ['$$ROOT.n', 5],
      ['$$CURRENT.n', 5],
      ['$$REMOVE', MISSING],
      [{ $let: { vars: { x: '$n' }, in: { $add: ['$$x', 1] } } }, 6],
      [{ $getField: 's' }, 'Hello'],
    ],
  ],
  [
    'arithmetic',
    [
      [{ $add: [1, 2] }, 3],
      [{ $add: ['$n', '$d'] }, double(7.5)],
      [{ $add: ['$at', 1000] }, new Date('2024-03-15T10:20:31.456Z')],
      [{ $add: ['$n', null] }, null],
      [{ $add: ['$n', '$missing'] }, null],
      [{ $add: [2147483647, 1] }, long(2147483648)],
      [{ $add: [decimal('0.1'), decimal('0.2')] }, decimal('0.3')],
      [{ $subtract: [5, 3] }, 2],
      [{ $subtract: ['$at', new Date('2024-03-15T10:20:30.000Z')] }, long(456)],
      [{ $multiply: [3, 4] }, 12],
      [{ $divide: [6, 4] }, double(1.5)],
      [{ $divide: [6, 3] }, double(2)],
      [{ $mod: [7, 3] }, 1],
      [{ $mod: [-7, 3] }, -1],
      [{ $abs: -5 }, 5],
      [{ $ceil: double(1.2) }, double(2)],
      [{ $floor: double(-1.2) }, double(-2)],
      [{ $round: [double(2.5), 0] }, double(2)],
      [{ $round: [double(1.256), 2] }, double(1.26)],
      [{ $trunc: double(1.9) }, double(1)],
      [{ $pow: [2, 10] }, 1024],
      [{ $sqrt: 16 }, double(4)],
      [{ $exp: 0 }, double(1)],
      [{ $ln: 1 }, double(0)],
      [{ $log10: 100 }, double(2)],
      [{ $sum: [1, 2, 3] }, 6],
      [{ $sum: '$list' }, 6],
      [{ $avg: '$list' }, double(2)],
      [{ $min: '$list' }, 1],
      [{ $max: '$list' }, 3],
    ],
  ],
  [
    'comparison and logic',
    [
      [{ $eq: ['$n', 5] }, true],
      [{ $eq: ['$n', long(5)] }, true],
      [{ $eq: ['$n', '5'] }, false],
      [{ $ne: ['$n', 5] }, false],
      [{ $gt: ['$s', '$n'] }, true],
      [{ $lt: ['$missing', null] }, true],
      [{ $cmp: [1, 2] }, -1],
      [{ $and: [true, 1, 'x'] }, true],
      [{ $and: [] }, true],
      [{ $and: [true, 0] }, false],
      [{ $or: [null, 0, false] }, false],
      [{ $or: [null, 1] }, true],
      [{ $not: [0] }, true],
      [{ $cond: [true, 1, 2] }, 1],
      [{ $cond: { if: { $gt: ['$n', 9] }, [THEN]: 'big', else: 'small' } }, 'small'],
      [{ $ifNull: ['$missing', '$nothing', 'x'] }, 'x'],
      [
        {
          $switch: {
            branches: [
              { case: { $eq: ['$n', 1] }, [THEN]: 'one' },
              { case: true, [THEN]: 'any' },
            ],
          },
        },
        'any',
      ],
      [{ $switch: { branches: [{ case: false, [THEN]: 1 }], default: 2 } }, 2],
    ],
  ],
  [
    'strings',
    [
      [{ $concat: ['$s', '!', 'x'] }, 'Hello!x'],
      [{ $concat: ['$s', null] }, null],
      [{ $toUpper: '$s' }, 'HELLO'],
      [{ $toLower: '$s' }, 'hello'],
      [{ $strLenCP: 'é€' }, 2],
      [{ $strLenBytes: 'é€' }, 5],
      [{ $substrCP: ['$s', 1, 3] }, 'ell'],
      [{ $substrBytes: ['$s', 0, 2] }, 'He'],
      [{ $indexOfCP: ['$s', 'l'] }, 2],
      [{ $indexOfCP: ['$s', 'z'] }, -1],
      [{ $split: ['a,b,c', ','] }, ['a', 'b', 'c']],
      [{ $trim: { input: '  x ' } }, 'x'],
      [{ $ltrim: { input: 'xxa', chars: 'x' } }, 'a'],
      [{ $rtrim: { input: 'a  ' } }, 'a'],
      [{ $strcasecmp: ['a', 'B'] }, -1],
      [{ $replaceOne: { input: 'aa', find: 'a', replacement: 'b' } }, 'ba'],
      [{ $replaceAll: { input: 'aa', find: 'a', replacement: 'b' } }, 'bb'],
      [{ $regexMatch: { input: '$s', regex: '^h', options: 'i' } }, true],
      [{ $regexFind: { input: 'ab12', regex: '(\\d)(\\d)' } }, { match: '12', idx: 2, captures: ['1', '2'] }],
      [{ $regexFind: { input: 'ab', regex: 'z' } }, null],
      [
        { $regexFindAll: { input: 'a1b2', regex: '\\d' } },
        [
          { match: '1', idx: 1, captures: [] },
          { match: '2', idx: 3, captures: [] },
        ],
      ],
    ],
  ],
  [
    'arrays',
    [
      [{ $size: '$list' }, 3],
      [{ $arrayElemAt: ['$list', 0] }, 3],
      [{ $arrayElemAt: ['$list', -1] }, 2],
      [{ $arrayElemAt: ['$list', 9] }, MISSING],
      [{ $first: '$list' }, 3],
      [{ $last: '$list' }, 2],
      [{ $slice: ['$list', 2] }, [3, 1]],
      [{ $slice: ['$list', -1] }, [2]],
      [{ $slice: ['$list', 1, 1] }, [1]],
      [{ $concatArrays: ['$list', [9]] }, [3, 1, 2, 9]],
      [{ $concatArrays: ['$list', '$nothing'] }, null],
      [{ $reverseArray: '$list' }, [2, 1, 3]],
      [{ $in: [1, '$list'] }, true],
      [{ $indexOfArray: ['$list', 2] }, 2],
      [{ $isArray: '$list' }, true],
      [{ $range: [0, 6, 2] }, [0, 2, 4]],
      [{ $map: { input: '$list', as: 'x', in: { $multiply: ['$$x', 2] } } }, [6, 2, 4]],
      [{ $map: { input: '$list', in: '$$this' } }, [3, 1, 2]],
      [{ $filter: { input: '$list', as: 'x', cond: { $gt: ['$$x', 1] } } }, [3, 2]],
      [{ $filter: { input: '$list', cond: { $gt: ['$$this', 0] }, limit: 2 } }, [3, 1]],
      [{ $reduce: { input: '$list', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
      [{ $sortArray: { input: '$list', sortBy: 1 } }, [1, 2, 3]],
      [
        { $sortArray: { input: '$docs', sortBy: { v: -1 } } },
        [
          { k: 'b', v: 2 },
          { k: 'a', v: 1 },
        ],
      ],
      [
        {
          $zip: {
            inputs: [
              [1, 2],
              ['a', 'b'],
            ],
          },
        },
        [
          [1, 'a'],
          [2, 'b'],
        ],
      ],
      [{ $arrayToObject: '$docs' }, { a: 1, b: 2 }],
      [{ $arrayToObject: [[['x', 1]]] }, { x: 1 }],
      [
        { $objectToArray: { x: 1, y: 2 } },
        [
          { k: 'x', v: 1 },
          { k: 'y', v: 2 },
        ],
      ],
      [{ $mergeObjects: [{ a: 1 }, { b: 2 }, null, { a: 3 }] }, { a: 3, b: 2 }],
      [
        {
          $setEquals: [
            [1, 2],
            [2, 1, 1],
          ],
        },
        true,
      ],
      [{ $setIsSubset: [[1], [1, 2]] }, true],
      [{ $setDifference: [[1, 2, 3], [2]] }, [1, 3]],
      [{ $anyElementTrue: [[0, 1]] }, true],
      [{ $allElementsTrue: [[1, 0]] }, false],
      [{ $maxN: { input: '$list', n: 2 } }, [3, 2]],
      [{ $firstN: { input: '$list', n: 2 } }, [3, 1]],
    ],
  ],
  [
    'dates',
    [
      [{ $year: '$at' }, 2024],
      [{ $month: '$at' }, 3],
      [{ $dayOfMonth: '$at' }, 15],
      [{ $hour: '$at' }, 10],
      [{ $minute: '$at' }, 20],
      [{ $second: '$at' }, 30],
      [{ $millisecond: '$at' }, 456],
      [{ $dayOfWeek: '$at' }, 6],
      [{ $dayOfYear: '$at' }, 75],
      [{ $isoWeek: '$at' }, 11],
      [{ $isoDayOfWeek: '$at' }, 5],
      [{ $hour: { date: '$at', timezone: '+02:00' } }, 12],
      [{ $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M:%S.%L' } }, '2024-03-15 10:20:30.456'],
      [{ $dateToString: { date: '$at' } }, '2024-03-15T10:20:30.456Z'],
      [{ $dateFromParts: { year: 2024, month: 2, day: 30 } }, day('2024-03-01')],
      [{ $dateTrunc: { date: '$at', unit: 'month' } }, day('2024-03-01')],
      [{ $dateAdd: { startDate: day('2024-01-31'), unit: 'month', amount: 1 } }, day('2024-02-29')],
      [{ $dateSubtract: { startDate: day('2024-01-02'), unit: 'day', amount: 1 } }, day('2024-01-01')],
      [{ $dateDiff: { startDate: day('2024-01-01'), endDate: day('2024-03-01'), unit: 'day' } }, long(60)],
      [{ $dateDiff: { startDate: day('2023-12-31'), endDate: day('2024-01-01'), unit: 'year' } }, long(1)],
    ],
  ],
  [
    'types',
    [
      [{ $type: '$n' }, 'int'],
      [{ $type: '$missing' }, 'missing'],
      [{ $type: '$at' }, 'date'],
      [{ $isNumber: '$d' }, true],
      [{ $toString: '$n' }, '5'],
      [{ $toString: '$at' }, '2024-03-15T10:20:30.456Z'],
      [{ $toString: true }, 'true'],
      [{ $toInt: '7' }, 7],
      [{ $toInt: double(7.9) }, 7],
      [{ $toLong: '7' }, long(7)],
      [{ $toDouble: '1.5' }, double(1.5)],
      [{ $toDecimal: '1.50' }, decimal('1.50')],
      [{ $toBool: 'false' }, true],
      [{ $toBool: 0 }, false],
      [{ $toDate: long(0) }, new Date(0)],
      [{ $toObjectId: '5f0000000000000000000000' }, new BSON.ObjectId('5f0000000000000000000000')],
      [{ $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
      [{ $convert: { input: null, to: 'int', onNull: 0 } }, 0],
      [{ $toInt: null }, null],
    ],
  ],
])('%s', (_, cases) => {
  test.each(cases.map((one) => [BSON.EJSON.stringify(one[0]), ...one] as const))(
    '%s',
    async (_text, expression, value) => {
      await ground.things.insertOne({ ...DOCUMENT });
      const [found] = await ground.things.aggregate([{ $replaceWith: { value: expression } }]).toArray();
      expectSame(found, value === MISSING ? {} : { value });
    },
  );
});

test.each<[unknown, number]>([
  [{ $add: ['$s', 1] }, 14],
  [{ $subtract: ['$s', 1] }, 14],
  [{ $divide: [1, 0] }, 2],
  [{ $mod: [1, 0] }, 16610],
  [{ $toInt: 'x' }, 241],
  [{ $concat: ['$s', 1] }, 16702],
  [{ $size: '$n' }, 17124],
  [{ $arrayElemAt: ['$n', 0] }, 28689],
  [{ $foo: 1 }, 168],
  [{ $add: 1, $subtract: 1 }, 15983],
  [{ $eq: [1] }, 16020],
  [{ $cond: [1, 2] }, 16020],
  [{ $ifNull: ['$n'] }, 1257300],
  [{ $map: { input: '$n', in: 1 } }, 16883],
  [{ $in: [1, '$n'] }, 40081],
  [{ $sqrt: -1 }, 28714],
  [{ $year: '$s' }, 16006],
  ['$$nothing', 17276],
  [{ $switch: { branches: [] } }, 40068],
  [{ $substrCP: ['$s', -1, 1] }, 34455],
  [{ $range: [0, 1, 0] }, 34449],
])('%j is refused with %i', async (expression, code) => {
  await ground.things.insertOne({ ...DOCUMENT });
  expect(await codeOf(ground.things.aggregate([{ $replaceWith: { value: expression } }]).toArray())).toBe(
    code,
  );
});
