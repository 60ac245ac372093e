import { rejected, type Table, type Tables } from '../support/tables.ts';
import { decimal, double, long } from '../support/values.ts';

/** The input: the fields `v` of documents, which may be missing, or a specification that is rejected. */
export type Accumulated = { readonly of: readonly { v?: unknown }[] } | { readonly specification: unknown };

const of = (...values: unknown[]): Accumulated => ({ of: values.map((v) => ({ v })) });
const LACKING: Accumulated = { of: [{}, {}] };

export const ACCUMULATOR_TABLES: Tables<Accumulated> = {
  $sum: {
    title: 'adds up numbers in the widest type among them',
    cases: [
      [of(1, 2, 3), 6],
      [of(1, 'x', null, true), 1],
      [of(['x'], [1, 2]), 0],
      [LACKING, 0],
      [of(2147483647, 1), long(2147483648)],
      [of(1, long(1)), long(2)],
      [of(long('9223372036854775807'), 1), double(2 ** 63)],
      [of(1, 0.5), 1.5],
      [of(...Array(10).fill(0.1)), double(1)],
      [of(1, decimal('0.10')), decimal('1.10')],
      [of(double(Number.POSITIVE_INFINITY), decimal('1')), decimal('Infinity')],
      [of(double(Number.NaN), 1), double(Number.NaN)],
    ],
  },
  $avg: {
    title: 'is a double, or a decimal if there is one, or null without numbers',
    cases: [
      [of(1, 2), 1.5],
      [of(1, 3, 'x', null), double(2)],
      [of(decimal('1'), 2), decimal('1.5')],
      [of('x'), null],
      [LACKING, null],
    ],
  },
  $min: {
    title: 'is the lowest value that is neither null nor missing',
    cases: [
      [of(3, 1.5, null), 1.5],
      [of('a', 9), 9],
      [of([1, 2], [0, 9]), [0, 9]],
      [of(null), null],
      [LACKING, null],
    ],
  },
  $max: {
    title: 'is the highest value that is neither null nor missing',
    cases: [
      [of(3, 1.5, null), 3],
      [of('a', 9), 'a'],
      [of(new Date(-5), new Date(-9)), new Date(-5)],
      [LACKING, null],
    ],
  },
  $first: {
    title: 'is the value of the first document, null if it is missing',
    cases: [
      [of(2, 1), 2],
      [of(null, 1), null],
      [{ of: [{}, { v: 1 }] }, null],
    ],
  },
  $last: {
    title: 'is the value of the last document, null if it is missing',
    cases: [
      [of(2, 1), 1],
      [{ of: [{ v: 1 }, {}] }, null],
    ],
  },
  $push: {
    title: 'lists all values that are not missing',
    cases: [
      [of(2, 1, 2), [2, 1, 2]],
      [{ of: [{ v: null }, {}, { v: [1] }] }, [null, [1]]],
      [LACKING, []],
    ],
  },
  // The order of the elements is unspecified, so the cases have at most one.
  $addToSet: {
    title: 'lists different values that are not missing',
    cases: [
      [of(2, 2, 2), [2]],
      [of({ a: 1, b: 2 }, { a: 1, b: 2 }), [{ a: 1, b: 2 }]],
      [of([1, 2], [1, 2]), [[1, 2]]],
      [{ of: [{ v: null }, {}] }, [null]],
      [LACKING, []],
    ],
  },
  $mergeObjects: {
    title: 'merges documents',
    cases: [
      [of({ a: 1, b: 1 }, { b: 2, c: 3 }, null), { a: 1, b: 2, c: 3 }],
      [LACKING, {}],
      [of({ a: 1 }, 5), rejected(40400)],
      [of([{ a: 1 }]), rejected(40400)],
    ],
  },
  $count: {
    title: 'counts documents and takes no value',
    cases: [
      [{ specification: { $count: {} } }, 1],
      [{ specification: { $count: 1 } }, rejected(14)],
      [{ specification: { $count: { a: 1 } } }, rejected(14)],
    ],
  },
};

export const ACCUMULATOR_SYNTAX: Table<Accumulated> = {
  title: 'rejects a field that is not one accumulator of one value',
  cases: [
    [{ specification: 1 }, rejected(40234)],
    [{ specification: {} }, rejected(40234)],
    [{ specification: { a: 1 } }, rejected(40234)],
    [{ specification: { $sum: 1, $avg: 1 } }, rejected(40238)],
    [{ specification: { $sum: ['$v', 1] } }, rejected(40237)],
    [{ specification: { $push: ['$v'] } }, rejected(40237)],
    [{ specification: { $foo: 1 } }, rejected(15952)],
    [{ specification: { $sum: { $foo: 1 } } }, rejected(168)],
  ],
};
