import { rejected, type Tables } from '../support/tables.ts';
import { double, long } from '../support/values.ts';

const MAX_INT = 2147483647;
const MAX_LONG = long('9223372036854775807');
const MIN_LONG = long('-9223372036854775808');
const INFINITY = double(Number.POSITIVE_INFINITY);
const NAN = double(Number.NaN);

export const ARITHMETIC: Tables<unknown> = {
  $subtract: {
    title: 'subtracts numbers in the widest type among them',
    cases: [
      [{ $subtract: [5, 3] }, 2],
      [{ $subtract: [5, long(3)] }, long(2)],
      [{ $subtract: [5, 2.5] }, 2.5],
      [{ $subtract: [-2147483648, 1] }, long(-2147483649)],
      [{ $subtract: [MIN_LONG, 1] }, double(-(2 ** 63))],
      [{ $subtract: ['$n', null] }, null],
      [{ $subtract: ['$missing', '$n'] }, null],
      [{ $subtract: ['$s', null] }, null],
      [{ $subtract: ['$s', 1] }, rejected(14)],
      [{ $subtract: ['$n', '$at'] }, rejected(14)],
      [{ $subtract: ['$at', '$s'] }, rejected(14)],
      [{ $subtract: [1] }, rejected(16020)],
    ],
  },
  $multiply: {
    title: 'multiplies numbers in the widest type among them',
    cases: [
      [{ $multiply: [3, 4] }, 12],
      [{ $multiply: [] }, 1],
      [{ $multiply: [long(3), 4] }, long(12)],
      [{ $multiply: [2, 0.5] }, double(1)],
      [{ $multiply: [MAX_INT, MAX_INT] }, long('4611686014132420609')],
      [{ $multiply: [MAX_INT, MAX_INT, 0] }, 0],
      [{ $multiply: [MAX_INT, MAX_INT, MAX_INT, 0] }, double(0)],
      [{ $multiply: [MAX_LONG, 2] }, double(2 ** 64)],
      [{ $multiply: [INFINITY, 0] }, NAN],
      [{ $multiply: ['$n', null] }, null],
      [{ $multiply: ['$missing', '$s'] }, null],
      [{ $multiply: ['$s', '$missing'] }, rejected(14)],
      [{ $multiply: ['$at', 2] }, rejected(14)],
    ],
  },
  $divide: {
    title: 'divides to a double',
    cases: [
      [{ $divide: [6, 4] }, double(1.5)],
      [{ $divide: [6, 3] }, double(2)],
      [{ $divide: [long(6), long(3)] }, double(2)],
      [{ $divide: [-1, 3] }, double(-1 / 3)],
      [{ $divide: [NAN, 1] }, NAN],
      [{ $divide: ['$n', null] }, null],
      [{ $divide: ['$missing', '$s'] }, null],
      [{ $divide: [1, '$zero'] }, rejected(2)],
      [{ $divide: [1, double(-0)] }, rejected(2)],
      [{ $divide: ['$s', 1] }, rejected(14)],
      [{ $divide: [1, '$at'] }, rejected(14)],
    ],
  },
};
