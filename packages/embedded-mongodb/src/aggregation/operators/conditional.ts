import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { truthOf } from '../../semantics/truth.ts';
import {
  argumentsOf,
  isNullish,
  type Operators,
  onArguments,
  operandsByName,
  type Recurse,
} from '../operator.ts';
import type { Evaluate } from '../scope.ts';

/** All of these operators but `$not` evaluate only the arguments that they need. */
export const CONDITIONAL_OPERATORS: Operators = {
  $and: (operand, recurse) => {
    const conditions = argumentsOf(operand).map((condition) => recurse(condition));
    return (scope) => conditions.every((condition) => truthOf(condition(scope)));
  },
  $or: (operand, recurse) => {
    const conditions = argumentsOf(operand).map((condition) => recurse(condition));
    return (scope) => conditions.some((condition) => truthOf(condition(scope)));
  },
  $not: onArguments(1, ([value]) => !truthOf(value)),
  $cond: compileCond,
  $ifNull: compileIfNull,
  $switch: compileSwitch,
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

const switchOperands = operandsByName(
  { notDocument: 40060, unknown: 40067 },
  ['branches', 40068],
  ['default'],
);
const branchOperands = operandsByName(
  { notDocument: 40062, unknown: 40063 },
  ['case', 40064],
  ['then', 40065],
);

function compileSwitch(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = switchOperands(operand, name);
  const branches = named.get('branches');
  if (!Array.isArray(branches)) throw mongoError(40061, "$switch expected an array for 'branches'");
  if (branches.length === 0) throw mongoError(40068, '$switch requires at least one branch.');
  const compiled = branches.map((branch) => {
    const parts = branchOperands(branch, name);
    return {
      condition: recurse(parts.get('case') as BsonValue),
      result: recurse(parts.get('then') as BsonValue),
    };
  });
  const fallback = named.has('default') ? recurse(named.get('default') as BsonValue) : undefined;
  return (scope) => {
    const branch = compiled.find(({ condition }) => truthOf(condition(scope)));
    if (branch !== undefined) return branch.result(scope);
    if (fallback !== undefined) return fallback(scope);
    throw mongoError(40066, '$switch could not find a matching branch, and no default was specified.');
  };
}
