import { BSON_UNDEFINED, BsonUndefined, type BsonValue, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from '../semantics/collation.ts';
import type { Evaluate } from './scope.ts';

/** Compiles an inner expression; `variables` are names that it may use in addition. */
export type Recurse = (expression: BsonValue, variables?: readonly string[]) => Evaluate;

/** How an operator is compiled from what is written after its name. */
export type CompileOperator = (operand: BsonValue, recurse: Recurse, name: string) => Evaluate;

export type Operators = Readonly<Record<string, CompileOperator>>;

/** An operator on a fixed number of arguments, evaluated before it is called. One argument may be given without an array. */
export function onArguments(
  count: number | readonly [least: number, most: number],
  calculate: (
    values: (BsonValue | undefined)[],
    name: string,
    collation: Collation | undefined,
  ) => BsonValue | undefined,
): CompileOperator {
  const [least, most] = typeof count === 'number' ? [count, count] : count;
  return (operand, recurse, name) => {
    const operands = Array.isArray(operand) ? operand : [operand];
    if (operands.length < least || operands.length > most) {
      const wanted = least === most ? `exactly ${least}` : `at least ${least} arguments, and at most ${most}`;
      const code = least === most ? 16020 : 28667;
      throw mongoError(
        code,
        `Expression ${name} takes ${wanted} arguments. ${operands.length} were passed in.`,
      );
    }
    const compiled = operands.map((inner) => recurse(inner));
    return (scope) =>
      calculate(
        compiled.map((evaluate) => evaluate(scope)),
        name,
        scope.collation,
      );
  };
}

/** The operands of an operator that is written as a document of named ones. Throws on missing and unknown names. */
export function namedOperands(
  name: string,
  operand: BsonValue,
  required: readonly string[],
  optional: readonly string[] = [],
): ReadonlyMap<string, BsonValue> {
  if (!isDocument(operand))
    throw mongoError('FailedToParse', `${name} only supports an object as its argument`);
  for (const key of operand.keys()) {
    if (!required.includes(key) && !optional.includes(key)) {
      throw mongoError('FailedToParse', `Unrecognized argument to ${name}: ${key}`);
    }
  }
  for (const key of required) {
    if (!operand.has(key)) throw mongoError('FailedToParse', `Missing '${key}' parameter to ${name}`);
  }
  return operand;
}

/** Null, undefined and missing: most operators answer null to any of them. */
export function isNullish(value: BsonValue | undefined): value is null | undefined | BsonUndefined {
  return value === undefined || value === null || value instanceof BsonUndefined;
}

/** The value for comparing: a missing field compares as undefined does, below null. */
export function comparable(value: BsonValue | undefined): BsonValue {
  return value === undefined ? BSON_UNDEFINED : value;
}
