import { BSON } from 'mongodb';
import { rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

const { Binary, BSONRegExp, MaxKey, MinKey, ObjectId, Timestamp } = BSON;
const INFINITY = double(Number.POSITIVE_INFINITY);

export const VALUE: Tables<unknown> = {
  $literal: {
    title: 'returns its operand as it is',
    cases: [
      [{ $literal: '$n' }, '$n'],
      [{ $literal: { $add: [1, 2] } }, { $add: [1, 2] }],
      [{ $literal: [1] }, [1]],
      [{ $literal: null }, null],
    ],
  },
  $type: {
    title: 'names the type of a value',
    cases: [
      [{ $type: '$n' }, 'int'],
      [{ $type: long(1) }, 'long'],
      [{ $type: 2.5 }, 'double'],
      [{ $type: decimal('1') }, 'decimal'],
      [{ $type: '$s' }, 'string'],
      [{ $type: '$sub' }, 'object'],
      [{ $type: '$list' }, 'array'],
      [{ $type: [[1]] }, 'array'],
      [{ $type: new Binary(Buffer.from('a')) }, 'binData'],
      [{ $type: new ObjectId() }, 'objectId'],
      [{ $type: true }, 'bool'],
      [{ $type: '$at' }, 'date'],
      [{ $type: null }, 'null'],
      [{ $type: new BSONRegExp('a') }, 'regex'],
      [{ $type: new Timestamp({ t: 1, i: 1 }) }, 'timestamp'],
      [{ $type: new MinKey() }, 'minKey'],
      [{ $type: new MaxKey() }, 'maxKey'],
      [{ $type: '$missing' }, 'missing'],
      [{ $type: '$$NOW' }, 'date'],
      [{ $type: [1, 2] }, rejected(16020)],
    ],
  },
  $mergeObjects: {
    title: 'merges documents, the last value of a field in the place of the first',
    cases: [
      [{ $mergeObjects: ['$sub', { x: 2, z: 3 }] }, { x: 2, y: null, z: 3 }],
      [{ $mergeObjects: [] }, {}],
      [{ $mergeObjects: '$sub' }, { x: 1, y: null }],
      [{ $mergeObjects: '$docs' }, { k: 'b', v: 2 }],
      [{ $mergeObjects: [null, { a: 1 }, '$missing'] }, { a: 1 }],
      [{ $mergeObjects: '$missing' }, {}],
      [{ $mergeObjects: [{ a: 1 }, '$n'] }, rejected(40400)],
      [{ $mergeObjects: '$list' }, rejected(40400)],
    ],
  },
  $sum: {
    title: 'adds up the numbers among its arguments or in one array',
    cases: [
      [{ $sum: [1, 2, 3] }, 6],
      [{ $sum: '$list' }, 6],
      [{ $sum: ['$list', 1] }, 1],
      [{ $sum: '$n' }, 5],
      [{ $sum: [] }, 0],
      [{ $sum: ['$s', null, '$missing', '$at'] }, 0],
      [{ $sum: '$missing' }, 0],
      [{ $sum: [2147483647, 1] }, long(2147483648)],
      [{ $sum: [2147483647, 1, -1] }, 2147483647],
      [{ $sum: [1, long(1)] }, long(2)],
      [{ $sum: [long('9223372036854775807'), 1] }, double(2 ** 63)],
      [{ $sum: [long('9223372036854775807'), 1, -1] }, long('9223372036854775807')],
      [{ $sum: [1, 0.5, long(1)] }, 2.5],
      // The sum has no rounding errors of intermediate sums.
      [{ $sum: [Array(10).fill(0.1)] }, double(1)],
      [{ $sum: [1, decimal('0.10')] }, decimal('1.10')],
      [{ $sum: [INFINITY, 1, decimal('1')] }, decimal('Infinity')],
      [{ $sum: [INFINITY, 1] }, INFINITY],
      [{ $sum: [INFINITY, double(Number.NEGATIVE_INFINITY)] }, double(Number.NaN)],
      [{ $sum: [double(Number.NaN), 1] }, double(Number.NaN)],
    ],
  },
  $avg: {
    title: 'is a double, or a decimal if there is one, or null without numbers',
    cases: [
      [{ $avg: '$list' }, double(2)],
      [{ $avg: [1, 2] }, 1.5],
      [{ $avg: [1, '$s', null] }, double(1)],
      [{ $avg: [decimal('1'), 2] }, decimal('1.5')],
      [{ $avg: [decimal('1'), 2, 2] }, decimal('1.666666666666666666666666666666667')],
      [{ $avg: [long('9223372036854775807'), long('9223372036854775807')] }, double(2 ** 63)],
      [{ $avg: [INFINITY, 1] }, INFINITY],
      [{ $avg: [] }, null],
      [{ $avg: '$s' }, null],
      [{ $avg: '$missing' }, null],
    ],
  },
  $min: {
    title: 'is the lowest value that is neither null nor missing',
    cases: [
      [{ $min: '$list' }, 1],
      [{ $min: ['$n', 2.5] }, 2.5],
      [{ $min: ['$s', 9] }, 9],
      [{ $min: [null, 3, '$missing'] }, 3],
      [{ $min: [1, long(1)] }, 1],
      [{ $min: ['$list', 1] }, 1],
      [{ $min: [double(Number.NaN), double(Number.NEGATIVE_INFINITY)] }, double(Number.NaN)],
      [{ $min: [] }, null],
      [{ $min: null }, null],
    ],
  },
  $max: {
    title: 'is the highest value that is neither null nor missing',
    cases: [
      [{ $max: '$list' }, 3],
      [{ $max: ['$s', 9] }, 'Hello'],
      [{ $max: ['$list', 1] }, [3, 1, 2]],
      [{ $max: [long(1), 1] }, long(1)],
      [{ $max: [null, '$missing'] }, null],
    ],
  },
  $objectToArray: {
    title: 'lists the fields of a document',
    cases: [
      [
        { $objectToArray: { a: 1, b: '$n' } },
        [
          { k: 'a', v: 1 },
          { k: 'b', v: 5 },
        ],
      ],
      [{ $objectToArray: {} }, []],
      [{ $objectToArray: null }, null],
      [{ $objectToArray: '$missing' }, null],
      [{ $objectToArray: '$list' }, rejected(40390)],
    ],
  },
  $toDouble: {
    title: 'converts integers and doubles',
    cases: [
      [{ $toDouble: 5 }, double(5)],
      [{ $toDouble: long('9007199254740993') }, double(2 ** 53)],
      [{ $toDouble: 2.5 }, 2.5],
      [{ $toDouble: null }, null],
      [{ $toDouble: '$missing' }, null],
    ],
  },
};
