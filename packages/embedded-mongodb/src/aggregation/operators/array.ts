import { Int32 } from 'bson';
import { type BsonValue, type Document, isDocument, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import type { Collation } from '../../semantics/collation.ts';
import { compareValues, equalValues } from '../../semantics/compare.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { compareSortKeys, parseSort, sortKey } from '../../semantics/sort.ts';
import { truthOf } from '../../semantics/truth.ts';
import { isNullish, namedOperands, type Operators, onArguments, type Recurse } from '../operator.ts';
import { type Evaluate, withVariable } from '../scope.ts';

type Values = (BsonValue | undefined)[];
const ANY_NUMBER: readonly [number, number] = [0, Number.POSITIVE_INFINITY];

export const ARRAY_OPERATORS: Operators = {
  $size: onArguments(1, ([array]) => {
    if (!Array.isArray(array)) {
      throw mongoError(17124, `The argument to $size must be an array, but was of type: ${nameOf(array)}`);
    }
    return new Int32(array.length);
  }),
  $isArray: onArguments(1, ([value]) => Array.isArray(value)),
  $arrayElemAt: onArguments(2, elementAt),
  $first: onArguments(1, ([array], name) => endOf(array, name, 0)),
  $last: onArguments(1, ([array], name) => endOf(array, name, -1)),
  $in: onArguments(2, ([value, array], _name, collation) => {
    if (!Array.isArray(array)) {
      throw mongoError(40081, `$in requires an array as a second argument, found: ${nameOf(array)}`);
    }
    return value !== undefined && array.some((element) => equalValues(element, value, collation));
  }),
  $concatArrays: onArguments(ANY_NUMBER, concatArrays),
  $slice: onArguments([2, 3], sliceArray),
  $reverseArray: onArguments(1, ([array]) => {
    if (isNullish(array)) return null;
    return arrayOf(array, 34435, '$reverseArray').toReversed();
  }),
  $indexOfArray: onArguments([2, 4], indexOfArray),
  $range: onArguments([2, 3], range),
  $sortArray: compileSortArray,
  $map: compileMap,
  $filter: compileFilter,
  $reduce: compileReduce,
};

function nameOf(value: BsonValue | undefined): string {
  return value === undefined ? 'missing' : typeName(value);
}

function arrayOf(value: BsonValue | undefined, code: number, name: string): BsonValue[] {
  if (!Array.isArray(value))
    throw mongoError(code, `The argument to ${name} must be an array, but was of type: ${nameOf(value)}`);
  return value;
}

function integerOf(value: BsonValue | undefined, code: number, name: string): number {
  const number = value !== undefined && isNumeric(value) ? toNearestDouble(value) : Number.NaN;
  if (number !== (number | 0))
    throw mongoError(code, `${name} needs a whole 32-bit number, found: ${nameOf(value)}`);
  return number;
}

function elementAt([array, place]: Values): BsonValue | undefined {
  if (isNullish(array) || isNullish(place)) return null;
  if (!Array.isArray(array)) {
    throw mongoError(28689, `$arrayElemAt's first argument must be an array, but is ${typeName(array)}`);
  }
  if (!isNumeric(place)) {
    throw mongoError(
      28690,
      `$arrayElemAt's second argument must be a numeric value, but is ${typeName(place)}`,
    );
  }
  return array.at(integerOf(place, 28691, '$arrayElemAt'));
}

function endOf(array: BsonValue | undefined, name: string, place: 0 | -1): BsonValue | undefined {
  if (isNullish(array)) return null;
  return arrayOf(array, 28689, name).at(place);
}

function concatArrays(arrays: Values): BsonValue {
  const joined: BsonValue[] = [];
  let hasNull = false;
  for (const array of arrays) {
    if (isNullish(array)) hasNull = true;
    else joined.push(...arrayOf(array, 28664, '$concatArrays'));
  }
  return hasNull ? null : joined;
}

function sliceArray([array, second, third]: Values): BsonValue {
  if (isNullish(array) || isNullish(second) || (third !== undefined && isNullish(third))) return null;
  const elements = arrayOf(array, 28724, '$slice');
  const position = integerOf(second, 28726, '$slice');
  if (third === undefined) return position >= 0 ? elements.slice(0, position) : elements.slice(position);
  const count = integerOf(third, 28728, '$slice');
  if (count <= 0) throw mongoError(28729, `Third argument to $slice must be positive: ${count}`);
  const start = position >= 0 ? position : Math.max(elements.length + position, 0);
  return elements.slice(start, start + count);
}

function indexOfArray(
  [array, wanted, start, end]: Values,
  _name: string,
  collation: Collation | undefined,
): BsonValue {
  if (isNullish(array)) return null;
  const elements = arrayOf(array, 40090, '$indexOfArray');
  const from = start === undefined ? 0 : integerOf(start, 40096, '$indexOfArray');
  const to = end === undefined ? elements.length : integerOf(end, 40096, '$indexOfArray');
  if (from < 0 || to < 0) throw mongoError(40097, '$indexOfArray requires nonnegative bounds');
  for (let index = from; index < Math.min(to, elements.length); index++) {
    if (wanted !== undefined && equalValues(elements[index] as BsonValue, wanted, collation))
      return new Int32(index);
  }
  return new Int32(-1);
}

const MAX_RANGE_LENGTH = 1_000_000;

function range([startValue, endValue, stepValue]: Values): BsonValue {
  const start = integerOf(startValue, 34443, '$range');
  const end = integerOf(endValue, 34444, '$range');
  const step = stepValue === undefined ? 1 : integerOf(stepValue, 34446, '$range');
  if (step === 0) throw mongoError(34449, '$range requires a non-zero step value');
  const length = Math.max(Math.ceil((end - start) / step), 0);
  if (length > MAX_RANGE_LENGTH)
    throw mongoError('ExceededMemoryLimit', `$range would make ${length} numbers`);
  return Array.from({ length }, (_, index) => new Int32(start + index * step));
}

function compileSortArray(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['input', 'sortBy']);
  const input = recurse(named.get('input') as BsonValue);
  const sortBy = named.get('sortBy') as BsonValue;
  compileArraySort(sortBy, undefined); // refused when parsed, not when there is something to sort
  return (scope) => {
    const array = input(scope);
    return isNullish(array)
      ? null
      : arrayOf(array, 2942504, name).toSorted(compileArraySort(sortBy, scope.collation));
  };
}

function compileArraySort(
  sortBy: BsonValue,
  collation: Collation | undefined,
): (a: BsonValue, b: BsonValue) => number {
  if (isNumeric(sortBy)) {
    const direction = toNearestDouble(sortBy);
    if (direction !== 1 && direction !== -1)
      throw mongoError(2942507, '$sortArray: sortBy must be 1, -1 or an object');
    return (a, b) => direction * compareValues(a, b, collation);
  }
  const sort = parseSort(sortBy, collation);
  const keyOf = (element: BsonValue) =>
    sortKey(isDocument(element) ? element : new Map<string, BsonValue>(), sort);
  return (a, b) => compareSortKeys(keyOf(a), keyOf(b), sort);
}

function variableName(named: Document | ReadonlyMap<string, BsonValue>): string {
  const name = named.get('as') ?? 'this';
  if (typeof name !== 'string' || !/^[a-z][\w\u0080-\uffff]*$/.test(name)) {
    throw mongoError(
      'FailedToParse',
      `'${String(name)}' is not a name for a variable: it must begin with a lowercase letter`,
    );
  }
  return name;
}

function compileMap(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['input', 'in'], ['as']);
  const variable = variableName(named);
  const input = recurse(named.get('input') as BsonValue);
  const each = recurse(named.get('in') as BsonValue, [variable]);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    return arrayOf(array, 16883, name).map((element) => each(withVariable(scope, variable, element)) ?? null);
  };
}

function compileFilter(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['input', 'cond'], ['as', 'limit']);
  const variable = variableName(named);
  const input = recurse(named.get('input') as BsonValue);
  const condition = recurse(named.get('cond') as BsonValue, [variable]);
  const limit = recurse(named.get('limit') ?? null);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    const most = limit(scope);
    const count = isNullish(most) ? Number.POSITIVE_INFINITY : integerOf(most, 327391, name);
    if (count < 1) throw mongoError(327392, '$filter: limit must be greater than 0');
    const kept = arrayOf(array, 28651, name).filter((element) =>
      truthOf(condition(withVariable(scope, variable, element))),
    );
    return kept.slice(0, count);
  };
}

function compileReduce(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['input', 'initialValue', 'in']);
  const input = recurse(named.get('input') as BsonValue);
  const initial = recurse(named.get('initialValue') as BsonValue);
  const each = recurse(named.get('in') as BsonValue, ['this', 'value']);
  return (scope) => {
    const array = input(scope);
    if (isNullish(array)) return null;
    return arrayOf(array, 40080, name).reduce<BsonValue | undefined>(
      (value, element) => each(withVariable(withVariable(scope, 'value', value), 'this', element)),
      initial(scope),
    );
  };
}
