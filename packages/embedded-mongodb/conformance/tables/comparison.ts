import { BSON } from 'mongodb';
import { rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

const { BSONRegExp, Binary, MaxKey, ObjectId, Timestamp } = BSON;
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
};
