import { rejected, type Table, type Tables } from '../support/tables.ts';
import { double, long } from '../support/values.ts';

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
      [of(double(Number.NaN), 1), double(Number.NaN)],
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
};

export const ACCUMULATOR_SYNTAX: Table<Accumulated> = {
  title: 'rejects a field that is not one accumulator of one value',
  cases: [
    [{ specification: 1 }, rejected(40234)],
    [{ specification: {} }, rejected(40234)],
    [{ specification: { a: 1 } }, rejected(40234)],
    [{ specification: { $sum: 1, $min: 1 } }, rejected(40238)],
    [{ specification: { $sum: ['$v', 1] } }, rejected(40237)],
    [{ specification: { $foo: 1 } }, rejected(15952)],
    [{ specification: { $sum: { $foo: 1 } } }, rejected(168)],
  ],
};
