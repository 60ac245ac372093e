import { type BsonValue, isDocument, isNumeric, type NumericValue, typeName } from '../bson/document.ts';
import { type ErrorCodeName, mongoError } from '../bson/mongo-error.ts';
import { wholeNumber } from '../semantics/numbers.ts';
import { grown } from '../semantics/value-memory.ts';
import type { Evaluate } from './scope.ts';

/** Compiles an inner expression; `variables` are names that it may use in addition. */
export type Recurse = (expression: BsonValue, variables?: readonly string[]) => Evaluate;

/** How an operator is compiled from the value after its name. */
export type CompileOperator = (operand: BsonValue, recurse: Recurse, name: string) => Evaluate;

export type Operators = Readonly<Record<string, CompileOperator>>;

/** The values of an operator's arguments. Undefined stands for a missing field. */
export type Values = (BsonValue | undefined)[];

/** The arguments of an operator: a single one may be given without an array. */
export function argumentsOf(operand: BsonValue): BsonValue[] {
  return Array.isArray(operand) ? operand : [operand];
}

/** An operator on some number of arguments, all of which are evaluated. */
export function onArguments(
  count: number | readonly [least: number, most: number],
  calculate: (values: Values, name: string) => BsonValue | undefined,
): CompileOperator {
  const [least, most] = typeof count === 'number' ? [count, count] : count;
  return (operand, recurse, name) => {
    const compiled = argumentsOf(operand).map((argument) => recurse(argument));
    const { length } = compiled;
    if (length < least || length > most)
      throw mongoError(
        least === most ? 16020 : 28667,
        `Expression ${name} takes ${count} arguments, not ${length}`,
      );
    return (scope) =>
      calculate(
        compiled.map((evaluate) => evaluate(scope)),
        name,
      );
  };
}

/** An operator on any number of arguments. It is null at the first null argument and does not evaluate the rest. */
export function untilNull<T>(
  convert: (value: BsonValue, name: string) => T,
  combine: (values: T[]) => BsonValue,
): CompileOperator {
  return (operand, recurse, name) => {
    const compiled = argumentsOf(operand).map((argument) => recurse(argument));
    return (scope) => {
      const values: T[] = [];
      let bytes = 0;
      for (const evaluate of compiled) {
        const value = evaluate(scope);
        if (isNullish(value)) return null;
        bytes = grown(bytes, value);
        values.push(convert(value, name));
      }
      return combine(values);
    };
  };
}

/** The operands that a client gave by name. */
export type Named = ReadonlyMap<string, BsonValue>;

/**
 * Reads the operands of an operator that takes them by name. Throws MongoDB's errors: a name comes with the code for a
 * missing operand unless it is optional.
 */
export function operandsByName(
  codes: { notDocument: number; unknown: number },
  ...names: readonly (readonly [name: string, codeWithout?: number])[]
): (operand: BsonValue, operator: string) => Named {
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

/** The operand with that name, which may be null, or else the value given. */
export function operandOr(named: Named, name: string, otherwise: BsonValue): BsonValue {
  const operand = named.get(name);
  return operand === undefined ? otherwise : operand;
}

/** Null and missing: most operators return null for any of them. */
export function isNullish(value: BsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** The name of the value's type as error messages and `$type` write it. */
export function typeOf(value: BsonValue | undefined): string {
  return value === undefined ? 'missing' : typeName(value);
}

/** The value as a number, or the error with that code. */
export function numberOf(
  value: BsonValue | undefined,
  name: string,
  code: number | ErrorCodeName,
): NumericValue {
  if (isNumeric(value)) return value;
  throw mongoError(code, `${name} only supports numeric types, not ${typeOf(value)}`);
}

/** The value as a whole number that fits into so many bits, or the error with one of the codes. */
export function integerOf(
  value: BsonValue | undefined,
  bits: 32 | 64,
  name: string,
  notNumber: number,
  notInteger = notNumber,
): number {
  const number = numberOf(value, name, notNumber);
  const whole = wholeNumber(number);
  if (whole !== undefined && BigInt.asIntN(bits, whole) === whole) return Number(whole);
  throw mongoError(notInteger, `${name} needs a whole number of ${bits} bits, not ${number}`);
}
