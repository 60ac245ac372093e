import { spendSteps } from '../../computation-limit.ts';
import { accumulatorNamed } from '../accumulators.ts';
import { argumentsOf, type CompileOperator, type Operators } from '../operator.ts';

/** An accumulator outside `$group`. It runs over the elements of one array, or over several arguments. */
const accumulate: CompileOperator = (operand, recurse, name) => {
  const make = accumulatorNamed(name);
  const compiled = argumentsOf(operand).map((argument) => recurse(argument));
  return (scope) => {
    const values = compiled.map((evaluate) => evaluate(scope));
    const [only] = values;
    const accumulator = make();
    const added = values.length === 1 && Array.isArray(only) ? only : values;
    spendSteps(added.length);
    for (const value of added) accumulator.add(value);
    return accumulator.result();
  };
};

export const ACCUMULATE_OPERATORS: Operators = {
  $sum: accumulate,
  $avg: accumulate,
  $min: accumulate,
  $max: accumulate,
  $mergeObjects: accumulate,
};
