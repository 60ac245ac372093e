import { type BsonValue, isDocument } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { truthOf } from '../../semantics/truth.ts';
import { isNullish, namedOperands, type Operators, onArguments, type Recurse } from '../operator.ts';
import type { Evaluate } from '../scope.ts';

/** These evaluate only what they need, so that a guard guards. */
export const CONDITIONAL_OPERATORS: Operators = {
  $and: (operand, recurse) => {
    const conditions = listOf(operand).map((condition) => recurse(condition));
    return (scope) => conditions.every((condition) => truthOf(condition(scope)));
  },
  $or: (operand, recurse) => {
    const conditions = listOf(operand).map((condition) => recurse(condition));
    return (scope) => conditions.some((condition) => truthOf(condition(scope)));
  },
  $not: onArguments(1, ([value]) => !truthOf(value)),
  $cond: compileCond,
  $ifNull: compileIfNull,
  $switch: compileSwitch,
  $literal: (operand) => () => operand,
};

function listOf(operand: BsonValue): BsonValue[] {
  return Array.isArray(operand) ? operand : [operand];
}

function compileCond(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const parts = isDocument(operand) ? condOperands(operand) : operand;
  if (!Array.isArray(parts) || parts.length !== 3) {
    throw mongoError(
      16020,
      `Expression ${name} takes exactly 3 arguments. ${listOf(parts).length} were passed in.`,
    );
  }
  const [condition, whenTrue, whenFalse] = parts.map((part) => recurse(part)) as [
    Evaluate,
    Evaluate,
    Evaluate,
  ];
  return (scope) => (truthOf(condition(scope)) ? whenTrue(scope) : whenFalse(scope));
}

const COND_PARTS: readonly (readonly [name: string, errorWithout: number])[] = [
  ['if', 17080],
  ['then', 17081],
  ['else', 17082],
];

function condOperands(operand: ReadonlyMap<string, BsonValue>): BsonValue[] {
  for (const key of operand.keys()) {
    if (!COND_PARTS.some(([name]) => name === key))
      throw mongoError(17083, `Unrecognized parameter to $cond: ${key}`);
  }
  return COND_PARTS.map(([name, errorWithout]) => {
    const part = operand.get(name);
    if (part === undefined) throw mongoError(errorWithout, `Missing '${name}' parameter to $cond`);
    return part;
  });
}

function compileIfNull(operand: BsonValue, recurse: Recurse): Evaluate {
  const operands = listOf(operand);
  if (operands.length < 2)
    throw mongoError(1257300, `$ifNull needs at least two arguments, had: ${operands.length}`);
  const alternatives = operands.map((inner) => recurse(inner));
  const last = alternatives.pop() as Evaluate;
  return (scope) => {
    for (const evaluate of alternatives) {
      const value = evaluate(scope);
      if (!isNullish(value)) return value;
    }
    return last(scope);
  };
}

function compileSwitch(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['branches'], ['default']);
  const branches = named.get('branches');
  if (!Array.isArray(branches)) throw mongoError(40061, "$switch expected an array for 'branches'");
  if (branches.length === 0) throw mongoError(40068, '$switch requires at least one branch.');
  const compiled = branches.map((branch) => {
    const parts = namedOperands('$switch', branch, ['case', 'then']);
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
    throw mongoError(
      40066,
      '$switch could not find a matching branch for an input, and no default was specified.',
    );
  };
}
