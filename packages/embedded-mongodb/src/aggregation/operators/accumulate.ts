import { accumulatorNamed } from '../accumulators.ts';
import type { CompileOperator, Operators } from '../operator.ts';

/** `$sum` and its like outside of `$group`: over the elements of one array, or over several arguments. */
const accumulate: CompileOperator = (operand, recurse, name) => {
  const make = accumulatorNamed(name);
  const operands = Array.isArray(operand) ? operand : [operand];
  const compiled = operands.map((inner) => recurse(inner));
  return (scope) => {
    const accumulator = make(scope.collation);
    const values = compiled.map((evaluate) => evaluate(scope));
    const [only] = values;
    const all = values.length === 1 && Array.isArray(only) ? only : values;
    for (const value of all) accumulator.add(value);
    return accumulator.result();
  };
};

export const ACCUMULATE_OPERATORS: Operators = {
  $sum: accumulate,
  $avg: accumulate,
  $min: accumulate,
  $max: accumulate,
  $stdDevPop: accumulate,
  $stdDevSamp: accumulate,
};
