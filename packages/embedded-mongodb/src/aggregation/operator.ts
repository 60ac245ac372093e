import { type BsonValue, isDocument, isNumeric, type NumericValue, typeName } from '../bson/document.ts';
import { type ErrorCodeName, mongoError } from '../bson/mongo-error.ts';
import { wholeNumber } from '../semantics/numbers.ts';
import type { Evaluate } from './scope.ts';

/** Compiles an inner expression. */
export type Recurse = (expression: BsonValue) => Evaluate;

/** Compiles an operator from its operand. */
export type CompileOperator = (operand: BsonValue, recurse: Recurse, name: string) => Evaluate;

export type Operators = Readonly<Record<string, CompileOperator>>;

/** The values of an operator's arguments. Undefined stands for a missing field. */
export type Values = (BsonValue | undefined)[];

/** The arguments of an operator. A single argument may be given without an array. */
export function argumentsOf(operand: BsonValue): BsonValue[] {
  return Array.isArray(operand) ? operand : [operand];
}

/** An operator on some number of arguments, all of which are evaluated. */
export function onArguments(
  count: number,
  calculate: (values: Values, name: string) => BsonValue | undefined,
): CompileOperator {
  return (operand, recurse, name) => {
    const compiled = argumentsOf(operand).map((argument) => recurse(argument));
    const { length } = compiled;
    if (length !== count)
      throw mongoError(16020, `Expression ${name} takes ${count} arguments, not ${length}`);
    return (scope) =>
      calculate(
        compiled.map((evaluate) => evaluate(scope)),
        name,
      );
  };
}

/**
 * Reads the operands of an operator with named operands. Throws MongoDB's errors. A required name comes with the error
 * code for its absence.
 */
export function operandsByName(
  codes: { notDocument: number; unknown: number },
  ...names: readonly (readonly [name: string, codeWithout?: number])[]
): (operand: BsonValue, operator: string) => ReadonlyMap<string, BsonValue> {
  return (operand, operator) => {
    if (!isDocument(operand)) throw mongoError(codes.notDocument, `${operator} only supports an object`);
    for (const key of operand.keys()) {
      if (!names.some(([name]) => name === key))
        throw mongoError(codes.unknown, `Unrecognized argument to ${operator}: ${key}`);
    }
    for (const [name, code] of names) {
      if (code !== undefined && !operand.has(name))
        throw mongoError(code, `Missing '${name}' parameter to ${operator}`);
    }
    return operand;
  };
}

/** Whether the value is null or missing. Most operators then return null. */
export function isNullish(value: BsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** The name of the value's type in error messages and in `$type`. */
export function typeOf(value: BsonValue | undefined): string {
  return value === undefined ? 'missing' : typeName(value);
}

/** Returns the value as a number. Throws the error with the given code for any other type. */
export function numberOf(
  value: BsonValue | undefined,
  name: string,
  code: number | ErrorCodeName,
): NumericValue {
  if (isNumeric(value)) return value;
  throw mongoError(code, `${name} only supports numeric types, not ${typeOf(value)}`);
}

/** Returns the value as a whole number that fits in an int64. Throws the error with the given code. */
export function integerOf(value: BsonValue | undefined, name: string, code: number): number {
  const number = numberOf(value, name, code);
  const whole = wholeNumber(number);
  if (whole !== undefined && BigInt.asIntN(64, whole) === whole) return Number(whole);
  throw mongoError(code, `${name} needs a whole number of 64 bits, not ${number}`);
}
