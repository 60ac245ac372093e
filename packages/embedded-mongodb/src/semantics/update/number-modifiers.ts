import { Decimal128, Double, Int32, Long } from 'bson';
import {
  type BsonValue,
  isDocument,
  isLong,
  isNumeric,
  type NumericValue,
  typeName,
} from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { add, multiply, wholeOf } from '../arithmetic.ts';
import { describeField, describeId, describeValue } from '../describe.ts';
import { changedTo } from './field-modifiers.ts';
import type { ApplyContext, Modifier } from './modifier.ts';

export function increment(path: string, amount: BsonValue): Modifier {
  if (!isNumeric(amount)) {
    throw mongoError(
      'TypeMismatch',
      `Cannot increment with non-numeric argument: ${describeField(path, amount)}`,
    );
  }
  return arithmetic('$inc', amount, add, amount);
}

export function multiplyBy(path: string, factor: BsonValue): Modifier {
  if (!isNumeric(factor)) {
    throw mongoError(
      'TypeMismatch',
      `Cannot multiply with non-numeric argument: ${describeField(path, factor)}`,
    );
  }
  return arithmetic('$mul', factor, multiply, zeroLike(factor));
}

function zeroLike(value: NumericValue): NumericValue {
  if (value instanceof Int32) return new Int32(0);
  if (value instanceof Double) return new Double(0);
  if (value instanceof Decimal128) return Decimal128.fromString('0');
  return Long.ZERO;
}

function arithmetic(
  operator: '$inc' | '$mul',
  operand: NumericValue,
  calculate: (a: NumericValue, b: NumericValue) => NumericValue | undefined,
  ofMissing: NumericValue,
): Modifier {
  return {
    operator,
    onBlockedPath: 'create',
    apply: (current, path, context) => {
      if (current === undefined) return ofMissing;
      if (!isNumeric(current)) {
        throw mongoError(
          'TypeMismatch',
          `Cannot apply ${operator} to a value of non-numeric type. ${elementOf(context)} has the field '${path}' of non-numeric type ${typeName(current)}`,
        );
      }
      const result = calculate(current, operand);
      if (result === undefined) {
        throw mongoError(
          'BadValue',
          `Failed to apply ${operator} operations to current value (${describeValue(current)}) for document ${elementOf(context)}`,
        );
      }
      return changedTo(current, result);
    },
  };
}

function elementOf({ original }: ApplyContext): string {
  return describeId(original);
}

const BIT_OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

export function bitwise(path: string, operand: BsonValue): Modifier {
  const operations = parseBitOperations(path, operand);
  return {
    operator: '$bit',
    onBlockedPath: 'create',
    apply: (current, _path, context) => {
      const start = current ?? new Int32(0);
      if (!(start instanceof Int32) && !isLong(start)) {
        throw mongoError(
          'BadValue',
          `Cannot apply $bit to a value of non-integral type.${elementOf(context)} has the field ${path} of non-integer type ${typeName(start)}`,
        );
      }
      const result = operations.reduce<Int32 | Long>((value, { calculate, mask }) => {
        const bits = calculate(wholeOf(value), wholeOf(mask));
        return value instanceof Int32 && mask instanceof Int32
          ? new Int32(Number(bits))
          : Long.fromBigInt(bits);
      }, start);
      return changedTo(current, result);
    },
  };
}

function parseBitOperations(path: string, operand: BsonValue) {
  if (!isDocument(operand)) {
    throw mongoError(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  if (operand.size === 0) {
    throw mongoError(
      'BadValue',
      `You must pass in at least one bitwise operation. The format is: {$bit: {field: {and/or/xor: #}}`,
    );
  }
  return [...operand].map(([name, mask]) => {
    const calculate = Object.hasOwn(BIT_OPERATIONS, name) ? BIT_OPERATIONS[name] : undefined;
    if (calculate === undefined) {
      throw mongoError(
        'BadValue',
        `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: ${describeField(path, operand)}`,
      );
    }
    if (!(mask instanceof Int32) && !isLong(mask)) {
      throw mongoError(
        'BadValue',
        `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(mask)}' is not supported here: ${describeField(path, operand)}`,
      );
    }
    return { calculate, mask };
  });
}
