import { type Operators, onArguments, typeOf } from '../operator.ts';

/** Operators on values of any type. */
export const VALUE_OPERATORS: Operators = {
  $literal: (operand) => () => operand,
  $type: onArguments(1, ([value]) => typeOf(value)),
};
