import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryValue } from '../../test/arbitrary-values.ts';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import {
  type BsonValue,
  decimal,
  double,
  int32,
  long,
  MinKey,
  ObjectId,
  Timestamp,
} from '../bson/document.ts';
import { compareValues } from '../semantics/compare.ts';
import { compileExpression } from './expression.ts';
import { scopeOf } from './scope.ts';

const NOW = new Date('2026-02-03T04:05:06.007Z');
const LAST_DATE = new Date(8.64e15);

function evaluate(expression: Shorthand, fields: { [name: string]: Shorthand } = {}): BsonValue | undefined {
  return compileExpression(value(expression))(scopeOf(doc(fields), NOW));
}

// conformance/tables covers the documented results. A real MongoDB server may differ in the results here.
it('an expression evaluates $$NOW to the time of the command', () => {
  expect(evaluate('$$NOW')).toBe(NOW);
});

it('an expression reads the timestamp of an ObjectId as unsigned', () => {
  const after2038 = new ObjectId('ffffffff0000000000000000');
  expect(evaluate({ $dateToString: { date: after2038 } })).toBe('2106-02-07T06:28:15.000Z');
});

it('an expression rounds half a millisecond away from zero', () => {
  expect(evaluate({ $add: [new Date(10), -0.5] })).toEqual(new Date(9));
  expect(evaluate({ $subtract: [new Date(10), 0.5] })).toEqual(new Date(9));
  expect(evaluate({ $subtract: [new Date(10), decimal('0.5')] })).toEqual(new Date(10));
});

it('an expression sums the numbers before a date first and rounds the numbers after it one by one', () => {
  expect(evaluate({ $add: [0.4, 0.4, new Date(0)] })).toEqual(new Date(1));
  expect(evaluate({ $add: [new Date(0), 0.4, 0.4] })).toEqual(new Date(0));
});

it.each<[Shorthand]>([
  [{ $add: [LAST_DATE, 1] }],
  [{ $dateAdd: { startDate: LAST_DATE, unit: 'day', amount: 1 } }],
  [{ $dateAdd: { startDate: NOW, unit: 'year', amount: long(2n ** 62n) } }],
  [{ $hour: { date: LAST_DATE, timezone: '+01:00' } }],
])('an expression rejects a date that JavaScript does not have: %j', (expression) => {
  expect(codeOf(() => evaluate(expression))).toBe(238);
});

it.each<[Shorthand]>([
  [{ $toLower: 1.5 }],
  [{ $toUpper: new Timestamp({ t: 1, i: 1 }) }],
  [{ $toDouble: '1' }],
  [{ $toDouble: decimal('1') }],
])('an expression rejects a conversion that is out of scope: %j', (expression) => {
  expect(codeOf(() => evaluate(expression))).toBe(238);
});

it.each<[Shorthand, number]>([
  [{ $add: [new Date(0), decimal('NaN')] }, 15],
  [{ $subtract: [new Date(0), double(Number.NaN)] }, 15],
  [{ $subtract: [new Date(0), decimal('1E400')] }, 15],
])('an expression rejects a date arithmetic that overflows: %j', (expression, code) => {
  expect(codeOf(() => evaluate(expression))).toBe(code);
});

it('an expression does not change a decimal that is too large to have digits after the point', () => {
  expect(evaluate({ $ceil: decimal('1E+40') })).toEqual(decimal('1E+40'));
});

it('an expression converts a decimal to a string', () => {
  expect(evaluate({ $toLower: decimal('1.50') })).toBe('1.50');
});

it('an expression rejects a string that is too long for a document', () => {
  const half = 'a'.repeat(2 ** 23);
  expect(codeOf(() => evaluate({ $concat: [half, half, 'a'] }))).toBe(10334);
});

it('an expression does not evaluate the limit of $filter for an empty array', () => {
  expect(evaluate({ $filter: { input: [], cond: true, limit: 'x' } })).toEqual([]);
});

it('an expression compares values as MongoDB orders them', () => {
  fc.assert(
    fc.property(arbitraryValue, arbitraryValue, (a, b) => {
      const operands = [a, b].map((operand) => new Map([['$literal', operand]]));
      const order = evaluate(new Map<string, BsonValue>([['$cmp', operands]]));
      expect(order).toEqual(int32(Math.sign(compareValues(a, b)) + 0));
    }),
  );
});

it('an expression sorts a missing field above MinKey', () => {
  expect(evaluate({ $cmp: [new MinKey(), '$missing'] })).toEqual(int32(-1));
  expect(evaluate({ $cmp: ['$missing', new MinKey()] })).toEqual(int32(1));
});

it('an expression nests at most 100 levels deep', () => {
  const nested = (depth: number): Shorthand => (depth === 0 ? 1 : { $add: [nested(depth - 1)] });
  expect(evaluate(nested(100))).toEqual(int32(1));
  expect(codeOf(() => evaluate(nested(101)))).toBe(2);
});
