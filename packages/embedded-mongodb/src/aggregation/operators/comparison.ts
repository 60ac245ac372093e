import { Int32 } from 'bson';
import { compareValues } from '../../semantics/compare.ts';
import { type CompileOperator, comparable, type Operators, onArguments } from '../operator.ts';

function comparison(holds: (order: number) => boolean): CompileOperator {
  return onArguments(2, ([a, b], _name, collation) =>
    holds(compareValues(comparable(a), comparable(b), collation)),
  );
}

/** Unlike in filters these compare values of any two types. */
export const COMPARISON_OPERATORS: Operators = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: onArguments(
    2,
    ([a, b], _name, collation) =>
      new Int32(Math.sign(compareValues(comparable(a), comparable(b), collation))),
  ),
};
