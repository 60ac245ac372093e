import type { BsonValue, Document, NumericValue } from '../../src/bson/document.ts';
import * as arithmetic from './arithmetic.ts';
import { isNullish } from './arithmetic.ts';
import { elementAt, isIn, parseFilterOperator, parseMap, sizeOf, slice } from './array-expressions.ts';
import { parseDateOperator } from './date-expressions.ts';
import { argumentsOf, type Evaluate, isTrue, type Parse } from './expression.ts';
import { intOf, intOrLong, isNumber, long } from './numbers.ts';
import { compare, type Maybe, typeOf } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';
import { parseStringOperator } from './string-expressions.ts';

/** An expression as a function of the document. */
export function parseExpression(value: BsonValue): (document: Document) => Maybe {
  const evaluate = parse(value, []);
  return (root) => evaluate({ root, variables: new Map() });
}

function parse(value: BsonValue, names: readonly string[]): Evaluate {
  if (typeof value === 'string' && value.startsWith('$')) return parsePath(value, names);
  if (Array.isArray(value)) {
    const elements = value.map((element) => parse(element, names));
    return (scope) => elements.map((element) => element(scope) ?? null);
  }
  return value instanceof Map ? parseObject(value, names) : () => value;
}

function parseObject(object: Document, names: readonly string[]): Evaluate {
  const [first] = object.keys();
  if (first?.startsWith('$')) {
    rejectUnless(
      object.size === 1,
      'an object representing an expression must have exactly one field',
      15983,
    );
    return parseOperator(first, object.get(first) as BsonValue, names);
  }
  const fields = [...object].map(([name, value]) => {
    rejectUnless(!name.startsWith('$') && !name.includes('.'), 'invalid field name in an expression object');
    return [name, parse(value, names)] as const;
  });
  return (scope) => {
    const values = fields.map(([name, field]) => [name, field(scope)] as const);
    return new Map(values.filter((entry): entry is [string, BsonValue] => entry[1] !== undefined));
  };
}

function parsePath(text: string, names: readonly string[]): Evaluate {
  if (!text.startsWith('$$')) {
    const path = text.slice(1).split('.');
    rejectUnless(
      path.every((name) => name !== ''),
      'invalid field path',
    );
    return ({ root }) => valueAlong(root, path);
  }
  const [name, ...path] = text.slice(2).split('.') as [string, ...string[]];
  rejectUnless(['ROOT', 'CURRENT', 'REMOVE', ...names].includes(name), 'use of undefined variable', 17276);
  return ({ root, variables }) => {
    if (name === 'REMOVE') return undefined;
    const value = name === 'ROOT' || name === 'CURRENT' ? root : variables.get(name);
    return path.length === 0 ? value : valueAlong(value, path);
  };
}

/** The value at the path; of an array the values in its documents. Positions in a path mean nothing. */
function valueAlong(value: Maybe, path: readonly string[]): Maybe {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (value instanceof Map) return valueAlong(value.get(name), rest);
  if (!Array.isArray(value)) return undefined;
  return value
    .filter((element) => element instanceof Map)
    .map((element) => valueAlong(element, path))
    .filter((found) => found !== undefined);
}

/** The operands of an operator that takes a fixed number of them, or any. */
function operandsOf(value: BsonValue, least: number, most: number, names: readonly string[]): Evaluate[] {
  const operands = Array.isArray(value) ? value : [value];
  rejectUnless(operands.length >= least && operands.length <= most, 'wrong number of arguments');
  return operands.map((operand) => parse(operand, names));
}

type Operator = (values: readonly Maybe[]) => Maybe;

/** Operators that only need the values of all their operands: the numbers are how few and how many. */
const FUNCTIONS: Record<string, readonly [number, number, Operator]> = {
  $subtract: [2, 2, ([a, b]) => subtract(a, b)],
  $divide: [2, 2, ([a, b]) => ofTwoNumbers(a, b, arithmetic.divide)],
  $mod: [2, 2, ([a, b]) => ofTwoNumbers(a, b, arithmetic.remainder)],
  $abs: [1, 1, ([value]) => ofNumber(value, arithmetic.absolute)],
  $ceil: [1, 1, ([value]) => ofNumber(value, (number) => arithmetic.roundToWhole(number, 'ceiling'))],
  $floor: [1, 1, ([value]) => ofNumber(value, (number) => arithmetic.roundToWhole(number, 'floor'))],
  $round: [1, 2, (values) => round(values, 'halfEven')],
  $trunc: [1, 2, (values) => round(values, 'down')],
  $cmp: [2, 2, ([a, b]) => intOrLong(BigInt(compare(a, b)))],
  $eq: [2, 2, ([a, b]) => compare(a, b) === 0],
  $ne: [2, 2, ([a, b]) => compare(a, b) !== 0],
  $gt: [2, 2, ([a, b]) => compare(a, b) > 0],
  $gte: [2, 2, ([a, b]) => compare(a, b) >= 0],
  $lt: [2, 2, ([a, b]) => compare(a, b) < 0],
  $lte: [2, 2, ([a, b]) => compare(a, b) <= 0],
  $not: [1, 1, ([value]) => !isTrue(value)],
  $size: [1, 1, ([array]) => sizeOf(array)],
  $isArray: [1, 1, ([value]) => Array.isArray(value)],
  $arrayElemAt: [2, 2, ([array, index]) => elementAt(array, index)],
  $first: [1, 1, ([array]) => elementAt(array, intOrLong(0n))],
  $last: [1, 1, ([array]) => elementAt(array, intOrLong(-1n))],
  $slice: [2, 3, slice],
  $in: [2, 2, ([value, array]) => isIn(value, array)],
  $sum: [0, Infinity, (values) => arithmetic.sum(elementsOf(values))],
  $avg: [0, Infinity, (values) => arithmetic.average(elementsOf(values))],
  $min: [0, Infinity, (values) => arithmetic.extreme(elementsOf(values), (a, b) => compare(a, b) < 0)],
  $max: [0, Infinity, (values) => arithmetic.extreme(elementsOf(values), (a, b) => compare(a, b) > 0)],
  $mergeObjects: [0, Infinity, (values) => mergeObjects(elementsOf(values))],
  $type: [1, 1, ([value]) => typeOf(value)],
};

function parseOperator(name: string, operand: BsonValue, names: readonly string[]): Evaluate {
  const parseHere: Parse = (value) => parse(value, names);
  const sequence = SEQUENCES[name];
  if (sequence !== undefined) return parseSequence(operandsOf(operand, 0, Infinity, names), sequence);
  const entry = FUNCTIONS[name];
  if (entry !== undefined) {
    const [least, most, operator] = entry;
    const operands = operandsOf(operand, least, most, names);
    return (scope) => operator(operands.map((evaluate) => evaluate(scope)));
  }
  switch (name) {
    case '$literal':
      return () => operand;
    case '$and': {
      const operands = operandsOf(operand, 0, Infinity, names);
      return (scope) => operands.every((evaluate) => isTrue(evaluate(scope)));
    }
    case '$or': {
      const operands = operandsOf(operand, 0, Infinity, names);
      return (scope) => operands.some((evaluate) => isTrue(evaluate(scope)));
    }
    case '$cond':
      return parseCond(operand, names);
    case '$ifNull':
      return parseIfNull(operand, names);
    case '$switch':
      return parseSwitch(operand, parseHere);
    case '$map':
      return parseMap(operand, names, parse);
    case '$filter':
      return parseFilterOperator(operand, names, parse);
    default: {
      const found =
        parseStringOperator(name, operand, parseHere) ?? parseDateOperator(name, operand, parseHere);
      if (found === undefined) throw new Rejected(`Unrecognized expression '${name}'`, 168);
      return found;
    }
  }
}

function parseCond(operand: BsonValue, names: readonly string[]): Evaluate {
  const parts =
    operand instanceof Map
      ? ['if', 'then', 'else'].map((part) =>
          parse(argumentsOf('$cond', operand, ['if', 'then', 'else']).get(part) as BsonValue, names),
        )
      : operandsOf(operand, 3, 3, names);
  const [condition, yes, no] = parts as [Evaluate, Evaluate, Evaluate];
  return (scope) => (isTrue(condition(scope)) ? yes(scope) : no(scope));
}

function parseIfNull(operand: BsonValue, names: readonly string[]): Evaluate {
  const operands = operandsOf(operand, 2, Infinity, names);
  return (scope) => {
    for (const evaluate of operands.slice(0, -1)) {
      const value = evaluate(scope);
      if (!isNullish(value)) return value;
    }
    return operands.at(-1)?.(scope);
  };
}

function parseSwitch(operand: BsonValue, parseHere: Parse): Evaluate {
  const given = argumentsOf('$switch', operand, ['branches'], ['default']);
  const branches = given.get('branches');
  rejectUnless(Array.isArray(branches) && branches.length > 0, '$switch needs an array of branches');
  const parsed = branches.map((branch) => {
    const parts = argumentsOf('$switch', branch, ['case', 'then']);
    return [parseHere(parts.get('case') as BsonValue), parseHere(parts.get('then') as BsonValue)] as const;
  });
  const otherwise = given.get('default');
  const last = otherwise === undefined ? undefined : parseHere(otherwise);
  return (scope) => {
    for (const [condition, then] of parsed) if (isTrue(condition(scope))) return then(scope);
    rejectUnless(last !== undefined, '$switch could not find a matching branch', 40066);
    return last(scope);
  };
}

/** An operator that goes through its operands from the left and gives null at the first that is null. */
interface Sequence {
  check(operand: BsonValue, before: readonly BsonValue[]): void;
  combine(operands: readonly BsonValue[]): BsonValue;
}

const SEQUENCES: Record<string, Sequence> = {
  $add: {
    check(operand, before) {
      rejectUnless(
        isNumber(operand) || operand instanceof Date,
        '$add only supports numeric or date types',
        14,
      );
      const isSecondDate = operand instanceof Date && before.some((one) => one instanceof Date);
      rejectUnless(!isSecondDate, 'only one date allowed in an $add expression', 16612);
    },
    combine(operands) {
      const date = operands.find((operand) => operand instanceof Date);
      const numbers = operands.filter(isNumber);
      return date === undefined ? arithmetic.add(numbers) : arithmetic.addToDate(date, numbers);
    },
  },
  $multiply: {
    check: (operand) => rejectUnless(isNumber(operand), '$multiply only supports numeric types', 14),
    combine: (operands) => arithmetic.multiply(operands.filter(isNumber)),
  },
  $concat: {
    check: (operand) => rejectUnless(typeof operand === 'string', '$concat only supports strings', 16702),
    combine: (operands) => operands.join(''),
  },
  $concatArrays: {
    check: (operand) => rejectUnless(Array.isArray(operand), '$concatArrays only supports arrays', 28664),
    combine: (operands) => (operands as BsonValue[][]).flat(),
  },
};

function parseSequence(operands: readonly Evaluate[], { check, combine }: Sequence): Evaluate {
  return (scope) => {
    const values: BsonValue[] = [];
    for (const evaluate of operands) {
      const value = evaluate(scope);
      if (isNullish(value)) return null;
      check(value, values);
      values.push(value);
    }
    return combine(values);
  };
}

function subtract(a: Maybe, b: Maybe): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (isNumber(a) && isNumber(b)) return arithmetic.subtract(a, b);
  rejectUnless(a instanceof Date && (b instanceof Date || isNumber(b)), "can't $subtract", 14);
  if (isNumber(b)) return arithmetic.subtractFromDate(a, b);
  return long(BigInt(a.getTime() - b.getTime()));
}

function ofNumber(value: Maybe, operator: (value: NumericValue) => BsonValue): BsonValue {
  if (isNullish(value)) return null;
  rejectUnless(isNumber(value), 'only supports numeric types', 28765);
  return operator(value);
}

type NumericOperator = typeof arithmetic.divide;

function ofTwoNumbers(a: Maybe, b: Maybe, operator: NumericOperator): BsonValue {
  if (isNumber(a) && isNumber(b)) return operator(a, b);
  rejectUnless(isNullish(a) || isNullish(b), 'only supports numeric types');
  return null;
}

function round(values: readonly Maybe[], rounding: 'halfEven' | 'down'): BsonValue {
  const [value, places] = values;
  if (isNullish(value)) return null;
  rejectUnless(isNumber(value), 'only supports numeric types', 51081);
  if (values.length > 1 && isNullish(places)) return null;
  const digits = values.length === 1 ? 0 : intOf(places);
  rejectUnless(digits !== undefined && digits >= -20 && digits <= 100, 'invalid precision');
  return arithmetic.roundValue(value, digits, rounding);
}

/** A single operand that is an array counts as its elements. */
function elementsOf(values: readonly Maybe[]): readonly Maybe[] {
  const [only] = values;
  return values.length === 1 && Array.isArray(only) ? only : values;
}

export function mergeObjects(values: readonly Maybe[]): Document {
  const merged: Document = new Map();
  for (const value of values) {
    if (isNullish(value)) continue;
    rejectUnless(value instanceof Map, '$mergeObjects requires object inputs', 40400);
    for (const [name, field] of value) merged.set(name, field);
  }
  return merged;
}
