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
import { mongoError, outOfScope } from '../../bson/mongo-error.ts';
import { add, wholeOf } from '../arithmetic.ts';
import { describeValue } from '../describe.ts';
import { compareNumbers, isNaNValue } from '../numbers.ts';
import { type Modify, type Outcome, UNCHANGED } from './modifier.ts';

const ZERO = new Int32(0);

export function increment(amount: BsonValue, path: string): Modify {
  if (!isNumeric(amount))
    throw mongoError(
      'TypeMismatch',
      `Cannot increment '${path}' with non-numeric argument: ${describeValue(amount)}`,
    );
  return (current, at) => (current === undefined ? amount : incremented(current, amount, at));
}

function incremented(current: BsonValue, amount: NumericValue, path: string): Outcome {
  if (!isNumeric(current))
    throw mongoError('TypeMismatch', `Cannot apply $inc to the field '${path}' of type ${typeName(current)}`);
  const result = add(current, amount);
  if (result === undefined)
    throw mongoError('BadValue', `$inc of '${path}' overflows an int64: ${describeValue(current)}`);
  return isSameNumber(current, result) ? UNCHANGED : result;
}

/** As in MongoDB, -0 equals 0, and NaN always counts as a change. */
function isSameNumber(a: NumericValue, b: NumericValue): boolean {
  return typeNumber(a) === typeNumber(b) && compareNumbers(a, b) === 0 && !isNaNValue(a);
}

type Integer = Int32 | Long;

/** `{$bit: {field: {or: mask}}}` */
export function bitwise(operand: BsonValue): Modify {
  const mask = parseMask(operand);
  return (current, path) => {
    // Only a missing field counts as 0: null is rejected.
    const start = current === undefined ? ZERO : current;
    if (!isInteger(start))
      throw mongoError('BadValue', `Cannot apply $bit to the field '${path}' of type ${typeName(start)}`);
    const bits = wholeOf(start) | wholeOf(mask);
    const isInt = start instanceof Int32 && mask instanceof Int32;
    const result = isInt ? new Int32(Number(bits)) : Long.fromBigInt(bits);
    return current !== undefined && isSameNumber(start, result) ? UNCHANGED : result;
  };
}

function parseMask(operand: BsonValue): Integer {
  if (!isDocument(operand) || operand.size === 0)
    throw mongoError('BadValue', 'The $bit modifier needs a document: {$bit: {field: {and/or/xor: #}}}');
  for (const name of operand.keys()) {
    if (name === 'and' || name === 'xor') throw outOfScope(`$bit with ${name}`);
    if (name !== 'or')
      throw mongoError('BadValue', `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}'`);
  }
  const mask = operand.get('or') as BsonValue;
  if (!isInteger(mask))
    throw mongoError('BadValue', `The $bit modifier field must be an Integer, not ${typeName(mask)}`);
  return mask;
}

function isInteger(value: BsonValue): value is Integer {
  return value instanceof Int32 || isLong(value);
}
