import type { BsonValue, Document } from '../../src/bson/document.ts';
import { isNullish } from './arithmetic.ts';
import { argumentsOf, type Evaluate, isTrue, type ParseWith, type Scope } from './expression.ts';
import { intOf, intOrLong } from './numbers.ts';
import { isEqual, type Maybe } from './order.ts';
import { rejectUnless } from './rejected.ts';

export function sizeOf(array: Maybe): BsonValue {
  rejectUnless(Array.isArray(array), 'the argument to $size must be an array', 17124);
  return intOrLong(BigInt(array.length));
}

export function elementAt(array: Maybe, index: Maybe): Maybe {
  if (isNullish(array) || isNullish(index)) return null;
  rejectUnless(Array.isArray(array), 'must be an array', 28689);
  const position = intOf(index);
  rejectUnless(position !== undefined, 'the index must be an int');
  return array.at(position);
}

export function slice(values: readonly Maybe[]): BsonValue {
  const [array, first, second] = values;
  if (isNullish(array) || isNullish(first)) return null;
  rejectUnless(Array.isArray(array), 'first argument to $slice must be an array', 28724);
  const position = intOf(first);
  rejectUnless(position !== undefined, 'second argument to $slice must be an int');
  if (values.length === 2) return position < 0 ? array.slice(position) : array.slice(0, position);
  if (isNullish(second)) return null;
  const count = intOf(second);
  rejectUnless(count !== undefined && count > 0, 'third argument to $slice must be a positive int');
  const start = position < 0 ? Math.max(0, array.length + position) : position;
  return array.slice(start, start + count);
}

export function isIn(value: Maybe, array: Maybe): boolean {
  rejectUnless(Array.isArray(array), '$in requires an array as a second argument', 40081);
  return array.some((element) => isEqual(element, value));
}

/** The variable that `as` names, by default `this`. */
function variableOf(given: Document): string {
  const name = given.get('as') ?? 'this';
  rejectUnless(typeof name === 'string' && /^[a-z][A-Za-z0-9_]*$/.test(name), 'invalid variable name');
  return name;
}

const withVariable = ({ root, variables }: Scope, name: string, value: Maybe): Scope => ({
  root,
  variables: new Map([...variables, [name, value]]),
});

export function parseMap(operand: BsonValue, names: readonly string[], parse: ParseWith): Evaluate {
  const given = argumentsOf('$map', operand, ['input', 'in'], ['as']);
  const variable = variableOf(given);
  const input = parse(given.get('input') as BsonValue, names);
  const each = parse(given.get('in') as BsonValue, [...names, variable]);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    rejectUnless(Array.isArray(array), 'input to $map must be an array', 16883);
    return array.map((element) => each(withVariable(scope, variable, element)) ?? null);
  };
}

export function parseFilterOperator(
  operand: BsonValue,
  names: readonly string[],
  parse: ParseWith,
): Evaluate {
  const given = argumentsOf('$filter', operand, ['input', 'cond'], ['as', 'limit']);
  const variable = variableOf(given);
  const input = parse(given.get('input') as BsonValue, names);
  const condition = parse(given.get('cond') as BsonValue, [...names, variable]);
  const limit = parse(given.get('limit') ?? null, names);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    rejectUnless(Array.isArray(array), 'input to $filter must be an array', 28651);
    if (array.length === 0) return array;
    const most = limit(scope);
    const limited = isNullish(most) ? array.length : intOf(most);
    rejectUnless(isNullish(most) || (limited !== undefined && limited > 0), 'limit must be a positive int');
    const found: BsonValue[] = [];
    for (const element of array) {
      if (found.length === limited) break;
      if (isTrue(condition(withVariable(scope, variable, element)))) found.push(element);
    }
    return found;
  };
}
