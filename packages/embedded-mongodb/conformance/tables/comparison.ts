import { BSON } from 'mongodb';
import { rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

const { BSONRegExp, Binary, MaxKey, MinKey, ObjectId, Timestamp } = BSON;
const NAN = double(Number.NaN);

export const COMPARISON: Tables<unknown> = {
  $eq: {
    title: 'is true for equal values of comparable types',
    cases: [
      [{ $eq: ['$n', 5] }, true],
      [{ $eq: ['$n', long(5)] }, true],
      [{ $eq: ['$n', double(5)] }, true],
      [{ $eq: ['$n', decimal('5.0')] }, true],
      [{ $eq: ['$n', '5'] }, false],
      [{ $eq: [long('9007199254740993'), double(2 ** 53)] }, false],
      [{ $eq: [0.1, decimal('0.1')] }, false],
      [{ $eq: [NAN, NAN] }, true],
      [{ $eq: [double(0), double(-0)] }, true],
      [{ $eq: [null, null] }, true],
      [{ $eq: ['$missing', null] }, false],
      [{ $eq: ['$missing', '$absent'] }, true],
      [{ $eq: ['$list', [3, 1, 2]] }, true],
      [{ $eq: ['$list', 3] }, false],
      [
        {
          $eq: [
            { a: 1, b: 2 },
            { b: 2, a: 1 },
          ],
        },
        false,
      ],
      [{ $eq: ['a', 'A'] }, false],
      [{ $eq: [1] }, rejected(16020)],
      [{ $eq: [1, 2, 3] }, rejected(16020)],
      [{ $eq: 1 }, rejected(16020)],
    ],
  },
  $ne: {
    title: 'is true for different values',
    cases: [
      [{ $ne: ['$n', 5] }, false],
      [{ $ne: ['$n', long(6)] }, true],
      [{ $ne: ['$missing', null] }, true],
      [{ $ne: [1] }, rejected(16020)],
    ],
  },
  $gt: {
    title: 'compares values of any two types',
    cases: [
      [{ $gt: [2, 1] }, true],
      [{ $gt: [1, 1] }, false],
      [{ $gt: ['$s', '$n'] }, true],
      [{ $gt: [{}, 'z'] }, true],
      [{ $gt: [[], {}] }, true],
      [{ $gt: [new Binary(Buffer.from('a')), [[9]]] }, true],
      [{ $gt: [new ObjectId(), new Binary(Buffer.from('a'))] }, true],
      [{ $gt: [false, new ObjectId()] }, true],
      [{ $gt: ['$at', true] }, true],
      [{ $gt: [new Timestamp({ t: 1, i: 1 }), '$at'] }, true],
      [{ $gt: [new BSONRegExp('a'), new Timestamp({ t: 9, i: 9 })] }, true],
      [{ $gt: [new MaxKey(), new BSONRegExp('a')] }, true],
      [{ $gt: ['$missing', null] }, false],
      [{ $gt: [1] }, rejected(16020)],
    ],
  },
  $gte: {
    title: 'compares values of any two types',
    cases: [
      [{ $gte: [1, double(1)] }, true],
      [{ $gte: [1, 2] }, false],
      [{ $gte: [null, '$missing'] }, true],
      [{ $gte: ['$missing', new MinKey()] }, true],
      [{ $gte: [1] }, rejected(16020)],
    ],
  },
  $lt: {
    title: 'puts a missing field below null and null below numbers',
    cases: [
      [{ $lt: ['$missing', null] }, true],
      [{ $lt: [null, NAN] }, true],
      [{ $lt: [NAN, double(Number.NEGATIVE_INFINITY)] }, true],
      [{ $lt: [new MinKey(), '$missing'] }, true],
      [{ $lt: [new Date(-1), new Date(0)] }, true],
      [{ $lt: ['Z', 'a'] }, true],
      [{ $lt: ['\uFFFD', '\u{1F600}'] }, true],
      [
        {
          $lt: [
            [1, 2],
            [1, 3],
          ],
        },
        true,
      ],
      [{ $lt: [[1], [1, null]] }, true],
      [{ $lt: [1] }, rejected(16020)],
    ],
  },
  $lte: {
    title: 'compares values of any two types',
    cases: [
      [{ $lte: [1, long(1)] }, true],
      [{ $lte: [2, 1] }, false],
      [{ $lte: ['$missing', null] }, true],
      [{ $lte: [1] }, rejected(16020)],
    ],
  },
  $cmp: {
    title: 'returns -1, 0 or 1',
    cases: [
      [{ $cmp: [1, 20] }, -1],
      [{ $cmp: [1, decimal('1')] }, 0],
      [{ $cmp: ['b', 'a'] }, 1],
      [{ $cmp: ['$missing', null] }, -1],
      [{ $cmp: [null, '$missing'] }, 1],
      [{ $cmp: ['$missing', '$absent'] }, 0],
      [{ $cmp: [1] }, rejected(16020)],
    ],
  },
};
