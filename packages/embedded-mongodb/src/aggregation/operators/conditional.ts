import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { truthOf } from '../../semantics/truth.ts';
import { argumentsOf, isNullish, type Operators, operandsByName, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';

/** These operators evaluate only the arguments that they need. */
export const CONDITIONAL_OPERATORS: Operators = {
  $and: (operand, recurse) => {
    const conditions = argumentsOf(operand).map((condition) => recurse(condition));
    return (scope) => conditions.every((condition) => truthOf(condition(scope)));
  },
  $cond: compileCond,
  $ifNull: compileIfNull,
};

const condOperands = operandsByName(
  { notDocument: 16020, unknown: 17083 },
  ['if', 17080],
  ['then', 17081],
  ['else', 17082],
);

function compileCond(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const parts = isDocument(operand) ? partsOfCond(operand, name) : argumentsOf(operand);
  if (parts.length !== 3)
    throw mongoError(16020, `Expression ${name} takes 3 arguments, not ${parts.length}`);
  const compiled = parts.map((part) => recurse(part));
  const [condition, whenTrue, whenFalse] = compiled as [Evaluate, Evaluate, Evaluate];
  return (scope) => (truthOf(condition(scope)) ? whenTrue(scope) : whenFalse(scope));
}

function partsOfCond(operand: BsonValue, name: string): BsonValue[] {
  const named = condOperands(operand, name);
  return ['if', 'then', 'else'].map((key) => named.get(key) as BsonValue);
}

function compileIfNull(operand: BsonValue, recurse: Recurse): Evaluate {
  const alternatives = argumentsOf(operand).map((argument) => recurse(argument));
  const last = alternatives.pop();
  if (last === undefined || alternatives.length === 0) {
    throw mongoError(1257300, '$ifNull needs at least two arguments');
  }
  return (scope) => {
    for (const evaluate of alternatives) {
      const value = evaluate(scope);
      if (!isNullish(value)) return value;
    }
    return last(scope);
  };
}
