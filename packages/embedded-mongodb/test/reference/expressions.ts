import { type BsonValue, Decimal128, type Document, Double } from '../../src/bson/document.ts';
import * as arithmetic from './arithmetic.ts';
import { isNullish, isTrue } from './arithmetic.ts';
import { exactly, isNumber, toDouble } from './numbers.ts';
import { compare, type Maybe, typeOf } from './order.ts';
import { Rejected, rejectUnless } from './rejected.ts';

/** An expression as a function of the document. */
export type Evaluate = (root: Document) => Maybe;

export function parseExpression(value: BsonValue): Evaluate {
  if (typeof value === 'string' && value.startsWith('$')) return parsePath(value);
  if (Array.isArray(value)) {
    const elements = value.map(parseExpression);
    return (root) => elements.map((element) => element(root) ?? null);
  }
  return value instanceof Map ? parseObject(value) : () => value;
}

function parseObject(object: Document): Evaluate {
  const [first] = object.keys();
  if (first?.startsWith('$')) {
    rejectUnless(
      object.size === 1,
      'an object representing an expression must have exactly one field',
      15983,
    );
    return parseOperator(first, object.get(first) as BsonValue);
  }
  const fields = [...object].map(([name, value]) => {
    rejectUnless(!name.startsWith('$') && !name.includes('.'), 'invalid field name in an expression object');
    return [name, parseExpression(value)] as const;
  });
  return (root) => {
    const values = fields.map(([name, field]) => [name, field(root)] as const);
    return new Map(values.filter((entry): entry is [string, BsonValue] => entry[1] !== undefined));
  };
}

function parsePath(text: string): Evaluate {
  if (!text.startsWith('$$')) {
    const path = text.slice(1).split('.');
    rejectUnless(
      path.every((name) => name !== ''),
      'invalid field path',
    );
    return (root) => valueAlong(root, path);
  }
  const [name, ...path] = text.slice(2).split('.') as [string, ...string[]];
  rejectUnless(['ROOT', 'CURRENT', 'REMOVE'].includes(name), 'use of undefined variable', 17276);
  return (root) => (name === 'REMOVE' ? undefined : path.length === 0 ? root : valueAlong(root, path));
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
function operandsOf(value: BsonValue, least: number, most: number): Evaluate[] {
  const operands = Array.isArray(value) ? value : [value];
  rejectUnless(operands.length >= least && operands.length <= most, 'wrong number of arguments');
  return operands.map(parseExpression);
}

/** The named arguments of an operator. */
function argumentsOf(name: string, operand: BsonValue, required: readonly string[]): Evaluate[] {
  rejectUnless(operand instanceof Map, `${name} needs an object`);
  for (const argument of operand.keys())
    rejectUnless(required.includes(argument), `${name}: unknown argument ${argument}`);
  return required.map((argument) => {
    rejectUnless(operand.has(argument), `${name}: missing argument ${argument}`);
    return parseExpression(operand.get(argument) as BsonValue);
  });
}

type Operator = (values: readonly Maybe[]) => Maybe;

/** Operators that only need the values of all their operands: the numbers are how few and how many. */
const FUNCTIONS: Record<string, readonly [number, number, Operator]> = {
  $subtract: [2, 2, ([a, b]) => subtract(a, b)],
  $divide: [2, 2, ([a, b]) => divide(a, b)],
  $eq: [2, 2, ([a, b]) => compare(a, b) === 0],
  $ne: [2, 2, ([a, b]) => compare(a, b) !== 0],
  $gt: [2, 2, ([a, b]) => compare(a, b) > 0],
  $mergeObjects: [0, Infinity, (values) => mergeObjects(elementsOf(values))],
  $objectToArray: [1, 1, ([value]) => objectToArray(value)],
  $toDouble: [1, 1, ([value]) => doubleOf(value)],
  $type: [1, 1, ([value]) => typeOf(value)],
};

function parseOperator(name: string, operand: BsonValue): Evaluate {
  const entry = FUNCTIONS[name];
  if (entry !== undefined) {
    const [least, most, operator] = entry;
    const operands = operandsOf(operand, least, most);
    return (root) => operator(operands.map((evaluate) => evaluate(root)));
  }
  switch (name) {
    case '$multiply':
      return parseMultiply(operand);
    case '$and': {
      const operands = operandsOf(operand, 0, Infinity);
      return (root) => operands.every((evaluate) => isTrue(evaluate(root)));
    }
    case '$cond':
      return parseCond(operand);
    case '$ifNull':
      return parseIfNull(operand);
    case '$dateTrunc':
      return parseDateTrunc(operand);
    default:
      throw new Rejected(`Unrecognized expression '${name}'`, 168);
  }
}

function parseCond(operand: BsonValue): Evaluate {
  const parts =
    operand instanceof Map
      ? argumentsOf('$cond', operand, ['if', 'then', 'else'])
      : operandsOf(operand, 3, 3);
  const [condition, yes, no] = parts as [Evaluate, Evaluate, Evaluate];
  return (root) => (isTrue(condition(root)) ? yes(root) : no(root));
}

function parseIfNull(operand: BsonValue): Evaluate {
  const operands = operandsOf(operand, 2, Infinity);
  return (root) => {
    for (const evaluate of operands.slice(0, -1)) {
      const value = evaluate(root);
      if (!isNullish(value)) return value;
    }
    return operands.at(-1)?.(root);
  };
}

/** Goes through its operands from the left and gives null at the first that is null. */
function parseMultiply(operand: BsonValue): Evaluate {
  const operands = operandsOf(operand, 0, Infinity);
  return (root) => {
    const numbers = [];
    for (const evaluate of operands) {
      const value = evaluate(root);
      if (isNullish(value)) return null;
      rejectUnless(isNumber(value), '$multiply only supports numeric types', 14);
      numbers.push(value);
    }
    return arithmetic.multiply(numbers);
  };
}

const MS = new Map<Maybe, number>([
  ['hour', 3_600_000],
  ['day', 24 * 3_600_000],
]);

function parseDateTrunc(operand: BsonValue): Evaluate {
  const [date, unit] = argumentsOf('$dateTrunc', operand, ['date', 'unit']) as [Evaluate, Evaluate];
  return (root) => {
    const given = date(root);
    const length = unit(root);
    if (isNullish(given) || isNullish(length)) return null;
    rejectUnless(given instanceof Date, "can't convert to Date", 5439012);
    const ms = MS.get(length);
    rejectUnless(ms !== undefined, 'unknown time unit value');
    const since = given.getTime() % ms;
    return new Date(given.getTime() - (since < 0 ? since + ms : since));
  };
}

function subtract(a: Maybe, b: Maybe): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && (b instanceof Date || isNumber(b))) throw new Rejected('$subtract of dates', 238);
  rejectUnless(isNumber(a) && isNumber(b), "can't $subtract", 14);
  return arithmetic.subtract(a, b);
}

function divide(a: Maybe, b: Maybe): BsonValue {
  if (isNullish(a) || isNullish(b)) return null;
  rejectUnless(isNumber(a) && isNumber(b), '$divide only supports numeric types', 14);
  return arithmetic.divide(a, b);
}

/** The elements of a single array, or the values. */
function elementsOf(values: readonly Maybe[]): readonly Maybe[] {
  const [only] = values;
  return values.length === 1 && Array.isArray(only) ? only : values;
}

function mergeObjects(values: readonly Maybe[]): BsonValue {
  const merged: Document = new Map();
  for (const value of values) {
    if (isNullish(value)) continue;
    rejectUnless(value instanceof Map, '$mergeObjects requires object inputs', 40400);
    for (const [name, field] of value) merged.set(name, field);
  }
  return merged;
}

function objectToArray(value: Maybe): BsonValue {
  if (isNullish(value)) return null;
  rejectUnless(value instanceof Map, '$objectToArray requires a document input', 40390);
  return [...value].map(
    ([k, v]) =>
      new Map<string, BsonValue>([
        ['k', k],
        ['v', v],
      ]),
  );
}

function doubleOf(value: Maybe): BsonValue {
  if (isNullish(value)) return null;
  if (!isNumber(value) || value instanceof Decimal128) throw new Rejected('$toDouble of another type', 238);
  return new Double(toDouble(exactly(value)));
}
