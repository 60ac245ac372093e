import { type BsonValue, Decimal128, type Document, Double } from '../../src/bson/document.ts';
import * as arithmetic from './arithmetic.ts';
import { mergeObjects, parseExpression } from './expressions.ts';
import { intOrLong } from './numbers.ts';
import { compare, isEqual, isIdentical, type Maybe } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';

/** An accumulator over the values of its expression, one per document of a group. */
export interface Accumulator {
  /** The value of the expression for a document of the group. */
  evaluate(document: Document): Maybe;
  combine(values: readonly Maybe[]): BsonValue;
  /** Whether the result depends on the order of the values. */
  needsOrder(values: readonly Maybe[]): boolean;
}

const without = (values: readonly Maybe[]): BsonValue[] => values.filter((value) => value !== undefined);

function distinct(values: readonly Maybe[]): BsonValue[] {
  const set: BsonValue[] = [];
  for (const value of without(values)) if (!set.some((one) => isEqual(one, value))) set.push(value);
  return set;
}

const COMBINE: Record<string, (values: readonly Maybe[]) => BsonValue> = {
  $sum: arithmetic.sum,
  $avg: arithmetic.average,
  $min: (values) => arithmetic.extreme(values, (a, b) => compare(a, b) < 0),
  $max: (values) => arithmetic.extreme(values, (a, b) => compare(a, b) > 0),
  $first: (values) => values[0] ?? null,
  $last: (values) => values.at(-1) ?? null,
  $push: without,
  $addToSet: distinct,
  $mergeObjects: mergeObjects,
  $count: (values) => intOrLong(BigInt(values.length)),
};

const OF_ORDER = ['$first', '$last', '$push', '$mergeObjects'];

function needsOrder(name: string, values: readonly Maybe[]): boolean {
  if (OF_ORDER.includes(name)) return !values.every((value) => isIdentical(value, values[0]));
  // Sums round as values are added, and of equal values with different types, the first counts.
  if (name === '$sum' || name === '$avg')
    return values.some((value) => value instanceof Decimal128 || value instanceof Double);
  return values.some((a) => values.some((b) => isEqual(a, b) && !isIdentical(a, b)));
}

export function parseAccumulator(specification: BsonValue): Accumulator {
  rejectUnless(specification instanceof Map, 'the field must be an accumulator object', 40234);
  rejectUnless(specification.size === 1, 'the field must specify one accumulator', 40238);
  const [[name, operand]] = [...specification] as [[string, BsonValue]];
  const combine = COMBINE[name];
  if (combine === undefined) throw new Rejected(`unknown group operator '${name}'`, 15952);
  if (name === '$count')
    rejectUnless(operand instanceof Map && operand.size === 0, '$count takes no arguments');
  else rejectUnless(!Array.isArray(operand), 'the accumulator is a unary operator', 40237);
  return {
    evaluate: parseExpression(operand),
    combine,
    needsOrder: (values) => needsOrder(name, values),
  };
}
