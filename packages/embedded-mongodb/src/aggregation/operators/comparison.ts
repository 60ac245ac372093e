import { type BsonValue, MinKey } from '../../bson/document.ts';
import { compareValues } from '../../semantics/compare.ts';
import { type CompileOperator, type Operators, onArguments } from '../operator.ts';

/** Compares values of any types. A missing value sorts between MinKey and null. */
function compareOperands(a: BsonValue | undefined, b: BsonValue | undefined): number {
  if (a !== undefined && b !== undefined) return compareValues(a, b);
  if (a === b) return 0;
  if (a === undefined) return b instanceof MinKey ? 1 : -1;
  return a instanceof MinKey ? -1 : 1;
}

function comparison(holds: (order: number) => boolean): CompileOperator {
  return onArguments(2, ([a, b]) => holds(compareOperands(a, b)));
}

/** Unlike the filter operators, these compare values of any two types. */
export const COMPARISON_OPERATORS: Operators = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
};
