import { MISSING, rejected, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

/** A constant, because an object literal with `then` looks like a promise to linters and to `await`. */
const THEN = 'then';
const FAILS = { $divide: [1, '$zero'] };

export const CONDITIONAL: Tables<unknown> = {
  $and: {
    title: 'is true if no argument is false, null, missing or zero, and stops at the first that is',
    cases: [
      [{ $and: [] }, true],
      [{ $and: [true, 1, 'x', '', [], {}] }, true],
      [{ $and: [true, 0] }, false],
      [{ $and: [true, long(0)] }, false],
      [{ $and: [true, double(-0)] }, false],
      [{ $and: [true, decimal('0E+3')] }, false],
      [{ $and: [decimal('1E-400'), double(Number.NaN)] }, true],
      [{ $and: ['$nothing', true] }, false],
      [{ $and: ['$missing'] }, false],
      [{ $and: '$s' }, true],
      [{ $and: ['$missing', FAILS] }, false],
    ],
  },
  $cond: {
    title: 'evaluates the one branch that it needs',
    cases: [
      [{ $cond: [true, 1, 2] }, 1],
      [{ $cond: ['$missing', 1, 2] }, 2],
      [{ $cond: { if: { $gt: ['$n', 9] }, [THEN]: 'big', else: 'small' } }, 'small'],
      [{ $cond: [{ $eq: ['$zero', 0] }, 'guarded', FAILS] }, 'guarded'],
      [{ $cond: [true, '$missing', 1] }, MISSING],
      [{ $cond: [1, 2] }, rejected(16020)],
      [{ $cond: [1, 2, 3, 4] }, rejected(16020)],
      [{ $cond: 1 }, rejected(16020)],
      [{ $cond: { [THEN]: 1, else: 2 } }, rejected(17080)],
      [{ $cond: { if: 1, else: 2 } }, rejected(17081)],
      [{ $cond: { if: 1, [THEN]: 2 } }, rejected(17082)],
      [{ $cond: { if: 1, [THEN]: 2, else: 3, other: 4 } }, rejected(17083)],
    ],
  },
  $ifNull: {
    title: 'returns the first argument that is neither null nor missing, or else the last',
    cases: [
      [{ $ifNull: ['$zero', 'x'] }, 0],
      [{ $ifNull: ['$missing', '$nothing', 'x'] }, 'x'],
      [{ $ifNull: ['$n', FAILS] }, 5],
      [{ $ifNull: ['$missing', null] }, null],
      [{ $ifNull: ['$nothing', '$missing'] }, MISSING],
      [{ $ifNull: ['$n'] }, rejected(1257300)],
      [{ $ifNull: [] }, rejected(1257300)],
      [{ $ifNull: '$n' }, rejected(1257300)],
    ],
  },
};
