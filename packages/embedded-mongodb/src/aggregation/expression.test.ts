import { expect, it } from 'vitest';
import { codeOf, doc, type Shorthand, value } from '../../test/shorthand.ts';
import { type BsonValue, decimal, int32, MinKey } from '../bson/document.ts';
import { compileExpression } from './expression.ts';
import { scopeOf } from './scope.ts';

const NOW = new Date('2026-02-03T04:05:06.007Z');

function evaluate(expression: Shorthand, fields: { [name: string]: Shorthand } = {}): BsonValue | undefined {
  return compileExpression(value(expression))(scopeOf(doc(fields), NOW));
}

/* conformance/tables covers the documented results. */

it.each<[Shorthand]>([
  [{ $toDouble: '1' }],
  [{ $toDouble: decimal('1') }],
  [{ $dateTrunc: { date: NOW, unit: 'week' } }],
  [{ $dateTrunc: { date: NOW, unit: 'day', timezone: 'UTC' } }],
  [{ $dateTrunc: { date: NOW, unit: 'hour', binSize: 2 } }],
  [{ $multiply: [1, decimal('1')] }],
  [{ $divide: [decimal('1'), 1] }],
])('an expression rejects an option or a type that is out of scope: %j', (expression) => {
  expect(codeOf(() => evaluate(expression))).toBe(238);
});

it('an expression sorts a missing field above MinKey', () => {
  expect(evaluate({ $gt: [new MinKey(), '$missing'] })).toBe(false);
  expect(evaluate({ $gt: ['$missing', new MinKey()] })).toBe(true);
});

it('an expression nests at most 100 levels deep', () => {
  const nested = (depth: number): Shorthand => (depth === 0 ? 1 : { $multiply: [nested(depth - 1)] });
  expect(evaluate(nested(100))).toEqual(int32(1));
  expect(codeOf(() => evaluate(nested(101)))).toBe(2);
});
