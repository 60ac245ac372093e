import type { BsonValue, Document } from '../../src/bson/document.ts';
import { isNullish } from './arithmetic.ts';
import { exactly, isNumber, isZero } from './numbers.ts';
import type { Maybe } from './order.ts';
import { rejectUnless } from './rejected.ts';

/** What an expression sees: the document, and the variables that operators such as `$map` define. */
export interface Scope {
  root: Document;
  variables: ReadonlyMap<string, Maybe>;
}
export type Evaluate = (scope: Scope) => Maybe;
/** Parses an expression in which the named variables are known. */
export type Parse = (value: BsonValue) => Evaluate;
/** Parses an expression in which variables of these names are known. */
export type ParseWith = (value: BsonValue, names: readonly string[]) => Evaluate;

/** The named arguments of an operator. */
export function argumentsOf(
  name: string,
  operand: BsonValue,
  required: readonly string[],
  optional: readonly string[] = [],
): Document {
  rejectUnless(operand instanceof Map, `${name} needs an object`);
  for (const argument of operand.keys()) {
    rejectUnless([...required, ...optional].includes(argument), `${name}: unknown argument ${argument}`);
  }
  for (const argument of required)
    rejectUnless(operand.has(argument), `${name}: missing argument ${argument}`);
  return operand;
}

export function isTrue(value: Maybe): boolean {
  if (isNullish(value)) return false;
  if (typeof value === 'boolean') return value;
  return !(isNumber(value) && isZero(exactly(value)));
}
