import { type BsonValue, type Document, Double } from '../../src/bson/document.ts';
import * as arithmetic from './arithmetic.ts';
import { parseExpression } from './expressions.ts';
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

const COMBINE: Record<string, (values: readonly Maybe[]) => BsonValue> = {
  $sum: arithmetic.sum,
  $min: (values) => arithmetic.extreme(values, (a, b) => compare(a, b) < 0),
  $max: (values) => arithmetic.extreme(values, (a, b) => compare(a, b) > 0),
  $first: (values) => values[0] ?? null,
};

function needsOrder(name: string, values: readonly Maybe[]): boolean {
  if (name === '$first') return !values.every((value) => isIdentical(value, values[0]));
  // Sums round as values are added, and of equal values with different types, the first counts.
  if (name === '$sum') return values.some((value) => value instanceof Double);
  return values.some((a) => values.some((b) => isEqual(a, b) && !isIdentical(a, b)));
}

export function parseAccumulator(specification: BsonValue): Accumulator {
  rejectUnless(specification instanceof Map, 'the field must be an accumulator object', 40234);
  rejectUnless(specification.size === 1, 'the field must specify one accumulator', 40238);
  const [[name, operand]] = [...specification] as [[string, BsonValue]];
  const combine = COMBINE[name];
  if (combine === undefined) throw new Rejected(`unknown group operator '${name}'`, 15952);
  rejectUnless(!Array.isArray(operand), 'the accumulator is a unary operator', 40237);
  return {
    evaluate: parseExpression(operand),
    combine,
    needsOrder: (values) => needsOrder(name, values),
  };
}
