import { Int32 } from 'bson';
import type { BsonValue } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { equalValues } from '../../semantics/compare.ts';
import { truthOf } from '../../semantics/truth.ts';
import { mapWithinMemory, spendForValue } from '../../semantics/value-memory.ts';
import {
  integerOf,
  isNullish,
  type Operators,
  onArguments,
  operandOr,
  operandsByName,
  type Recurse,
  typeOf,
  untilNull,
  type Values,
} from '../operator.ts';
import { type Evaluate, withVariable } from '../scope.ts';

/** The cost of creating the scope of one element. */
const STEPS_PER_VARIABLE = 4;
const ELEMENTS_COPIED_PER_STEP = 4;

export const ARRAY_OPERATORS: Operators = {
  $size: onArguments(1, ([array], name) => new Int32(arrayOf(array, 17124, name).length)),
  $isArray: onArguments(1, ([value]) => Array.isArray(value)),
  $arrayElemAt: onArguments(2, elementAt),
  $first: onArguments(1, ([array], name) => elementAt([array, new Int32(0)], name)),
  $last: onArguments(1, ([array], name) => elementAt([array, new Int32(-1)], name)),
  $in: onArguments(2, isIn),
  $concatArrays: untilNull((array, name) => arrayOf(array, 28664, name), concatArrays),
  $slice: onArguments([2, 3], sliceArray),
  $map: compileMap,
  $filter: compileFilter,
};

function arrayOf(value: BsonValue | undefined, code: number, name: string): BsonValue[] {
  if (Array.isArray(value)) return value;
  throw mongoError(code, `The argument to ${name} must be an array, but was of type: ${typeOf(value)}`);
}

function elementAt([array, place]: Values, name: string): BsonValue | undefined {
  if (isNullish(array) || isNullish(place)) return null;
  return arrayOf(array, 28689, name).at(integerOf(place, 32, name, 28690, 28691));
}

function isIn([value, array]: Values, name: string): boolean {
  const elements = arrayOf(array, 40081, name);
  spendSteps(elements.length);
  return value !== undefined && elements.some((element) => equalValues(element, value));
}

function concatArrays(arrays: BsonValue[][]): BsonValue {
  spendSteps(arrays.reduce((sum, { length }) => sum + length, 0));
  return spendForValue(arrays.flat());
}

function sliceArray(values: Values, name: string): BsonValue {
  const [array, second, third] = values;
  if (isNullish(array) || isNullish(second)) return null;
  const elements = arrayOf(array, 28724, name);
  spendSteps(elements.length / ELEMENTS_COPIED_PER_STEP);
  const position = integerOf(second, 32, name, 28725, 28726);
  if (values.length === 2) return position >= 0 ? elements.slice(0, position) : elements.slice(position);
  if (isNullish(third)) return null;
  const count = integerOf(third, 32, name, 28727, 28728);
  if (count <= 0) throw mongoError(28729, `Third argument to $slice must be positive: ${count}`);
  const start = position >= 0 ? position : Math.max(elements.length + position, 0);
  return elements.slice(start, start + count);
}

/** The variable that `as` names, by default `this`. */
function variableName(named: ReadonlyMap<string, BsonValue>): string {
  const name = operandOr(named, 'as', 'this');
  if (typeof name === 'string' && /^[a-z\u0080-\uffff][\w\u0080-\uffff]*$/.test(name)) return name;
  throw mongoError(
    'FailedToParse',
    `'${String(name)}' is not a valid variable name: it must start with a lowercase letter`,
  );
}

const mapOperands = operandsByName(
  { notDocument: 16878, unknown: 16879 },
  ['input', 16880],
  ['in', 16882],
  ['as'],
);

function compileMap(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = mapOperands(operand, name);
  const variable = variableName(named);
  const input = recurse(named.get('input') as BsonValue);
  const each = recurse(named.get('in') as BsonValue, [variable]);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const elements = arrayOf(array, 16883, name);
    spendSteps(elements.length * STEPS_PER_VARIABLE);
    return mapWithinMemory(elements, (element) => each(withVariable(scope, variable, element)) ?? null);
  };
}

const filterOperands = operandsByName(
  { notDocument: 28646, unknown: 28647 },
  ['input', 28648],
  ['cond', 28650],
  ['as'],
  ['limit'],
);

function compileFilter(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = filterOperands(operand, name);
  const variable = variableName(named);
  const input = recurse(named.get('input') as BsonValue);
  const condition = recurse(named.get('cond') as BsonValue, [variable]);
  const limit = recurse(operandOr(named, 'limit', null));
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const elements = arrayOf(array, 28651, name);
    if (elements.length === 0) return elements;
    const most = limitOf(limit(scope));
    spendSteps(elements.length * STEPS_PER_VARIABLE);
    const found: BsonValue[] = [];
    for (const element of elements) {
      if (truthOf(condition(withVariable(scope, variable, element)))) found.push(element);
      if (found.length === most) break;
    }
    return found;
  };
}

/** The `limit` of `$filter`, by default infinity. */
function limitOf(value: BsonValue | undefined): number {
  if (isNullish(value)) return Number.POSITIVE_INFINITY;
  const limit = integerOf(value, 32, '$filter', 327391);
  if (limit < 1) throw mongoError(327392, '$filter: limit must be greater than 0');
  return limit;
}
