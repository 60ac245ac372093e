import {
  type BsonValue,
  Int32,
  isDocument,
  isLong,
  isNumeric,
  Long,
  type NumericValue,
  typeName,
  typeNumber,
} from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { add, multiply, wholeOf } from '../arithmetic.ts';
import { describeValue } from '../describe.ts';
import { compareNumbers, isNaNValue } from '../numbers.ts';
import { type Modify, type Outcome, UNCHANGED } from './modifier.ts';

const ZERO = new Int32(0);

export function increment(amount: BsonValue, path: string): Modify {
  const number = numericOperand('increment', amount, path);
  return (current, at) => (current === undefined ? number : calculated('$inc', add, current, number, at));
}

export function multiplyBy(factor: BsonValue, path: string): Modify {
  const number = numericOperand('multiply', factor, path);
  const zero = multiply(number, ZERO) as NumericValue;
  return (current, at) => (current === undefined ? zero : calculated('$mul', multiply, current, number, at));
}

function numericOperand(verb: string, operand: BsonValue, path: string): NumericValue {
  if (isNumeric(operand)) return operand;
  throw mongoError(
    'TypeMismatch',
    `Cannot ${verb} '${path}' with non-numeric argument: ${describeValue(operand)}`,
  );
}

function calculated(
  name: string,
  calculate: typeof add,
  current: BsonValue,
  operand: NumericValue,
  path: string,
): Outcome {
  if (!isNumeric(current))
    throw mongoError(
      'TypeMismatch',
      `Cannot apply ${name} to the field '${path}' of type ${typeName(current)}`,
    );
  const result = calculate(current, operand);
  if (result === undefined)
    throw mongoError('BadValue', `${name} of '${path}' overflows an int64: ${describeValue(current)}`);
  return isSameNumber(current, result) ? UNCHANGED : result;
}

/** As in MongoDB, -0 equals 0, and NaN always counts as a change. */
function isSameNumber(a: NumericValue, b: NumericValue): boolean {
  return typeNumber(a) === typeNumber(b) && compareNumbers(a, b) === 0 && !isNaNValue(a);
}

const BIT_OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

type Integer = Int32 | Long;

export function bitwise(operand: BsonValue): Modify {
  const operations = parseBitOperations(operand);
  return (current, path) => {
    // Only a missing field counts as 0: null is rejected.
    const start = current === undefined ? ZERO : current;
    if (!isInteger(start))
      throw mongoError('BadValue', `Cannot apply $bit to the field '${path}' of type ${typeName(start)}`);
    const result = operations.reduce((value, operation) => operation(value), start);
    return current !== undefined && isSameNumber(start, result) ? UNCHANGED : result;
  };
}

function parseBitOperations(operand: BsonValue): ((value: Integer) => Integer)[] {
  if (!isDocument(operand) || operand.size === 0)
    throw mongoError('BadValue', 'The $bit modifier needs a document: {$bit: {field: {and/or/xor: #}}}');
  return [...operand].map(([name, mask]) => {
    const calculate = Object.hasOwn(BIT_OPERATIONS, name) ? BIT_OPERATIONS[name] : undefined;
    if (calculate === undefined)
      throw mongoError('BadValue', `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
    if (!isInteger(mask))
      throw mongoError('BadValue', `The $bit modifier field must be an Integer, not ${typeName(mask)}`);
    return (value) => {
      const bits = calculate(wholeOf(value), wholeOf(mask));
      return value instanceof Int32 && mask instanceof Int32
        ? new Int32(Number(bits))
        : Long.fromBigInt(bits);
    };
  });
}

function isInteger(value: BsonValue): value is Integer {
  return value instanceof Int32 || isLong(value);
}
