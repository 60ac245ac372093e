import { Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toDecimal } from '../../semantics/arithmetic.ts';
import { truncatedToInt64 } from '../../semantics/filter/predicate.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { truthOf } from '../../semantics/truth.ts';
import { type CompileOperator, isNullish, type Operators, onArguments } from '../operator.ts';

export const TYPE_OPERATORS: Operators = {
  $type: onArguments(1, ([value]) => (value === undefined ? 'missing' : typeName(value))),
  $isNumber: onArguments(1, ([value]) => value !== undefined && isNumeric(value)),
  $toBool: conversion((value) => typeof value === 'string' || truthOf(value)),
  $toInt: conversion((value) => toWhole(value, 32)),
  $toLong: conversion((value) => toWhole(value, 64)),
  $toDouble: conversion(toDouble),
  $toDecimal: conversion(toDecimalValue),
  $toString: conversion(toText),
  $toObjectId: conversion(toObjectId),
  $toDate: conversion(toDate),
};

function conversion(convert: (value: BsonValue) => BsonValue): CompileOperator {
  return onArguments(1, ([value]) => (isNullish(value) ? null : convert(value)));
}

function unsupported(value: BsonValue, target: string): Error {
  return mongoError(
    'ConversionFailure',
    `Unsupported conversion from ${typeName(value)} to ${target} in $convert with no onError value`,
  );
}

function failed(value: BsonValue, why: string): Error {
  return mongoError(
    'ConversionFailure',
    `Failed to parse number '${String(value)}' in $convert with no onError value: ${why}`,
  );
}

const WHOLE_NUMBER = /^-?\d+$/;

function toWhole(value: BsonValue, bits: 32 | 64): BsonValue {
  const target = bits === 32 ? 'int' : 'long';
  const whole = wholeOf(value, target);
  if (whole === undefined || BigInt.asIntN(bits, whole) !== whole)
    throw failed(value, `it does not fit ${target}`);
  return bits === 32 ? new Int32(Number(whole)) : Long.fromBigInt(whole);
}

function wholeOf(value: BsonValue, target: string): bigint | undefined {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (isNumeric(value)) return truncatedToInt64(value);
  if (value instanceof Date && target === 'long') return BigInt(value.getTime());
  if (typeof value !== 'string') throw unsupported(value, target);
  return WHOLE_NUMBER.test(value) ? BigInt(value) : undefined;
}

const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function toDouble(value: BsonValue): BsonValue {
  if (typeof value === 'boolean') return new Double(value ? 1 : 0);
  if (isNumeric(value)) return new Double(toNearestDouble(value));
  if (value instanceof Date) return new Double(value.getTime());
  if (typeof value !== 'string') throw unsupported(value, 'double');
  if (!DECIMAL_NUMBER.test(value)) throw failed(value, 'Did not consume whole string.');
  return new Double(Number(value));
}

function toDecimalValue(value: BsonValue): BsonValue {
  if (typeof value === 'boolean') return Decimal128.fromString(value ? '1' : '0');
  if (isNumeric(value)) return toDecimal(value);
  if (value instanceof Date) return Decimal128.fromString(String(value.getTime()));
  if (typeof value !== 'string') throw unsupported(value, 'decimal');
  if (!DECIMAL_NUMBER.test(value)) throw failed(value, 'Did not consume whole string.');
  try {
    return Decimal128.fromString(value);
  } catch {
    throw failed(value, 'it has more than 34 digits');
  }
}

/** Beyond these bounds MongoDB writes doubles with an exponent in a form of its own. */
const PLAIN_DOUBLE_MAX = 1e15;
const PLAIN_DOUBLE_MIN = 1e-4;

function toText(value: BsonValue): BsonValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Double) return doubleText(value.value);
  if (isNumeric(value)) return value.toString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Date) return value.toISOString();
  throw unsupported(value, 'string');
}

function doubleText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const magnitude = Math.abs(value);
  if (
    value !== 0 &&
    (magnitude >= PLAIN_DOUBLE_MAX || magnitude < PLAIN_DOUBLE_MIN || !Number.isFinite(value))
  ) {
    throw notImplemented('a very large or very small double as text');
  }
  return String(value);
}

function toObjectId(value: BsonValue): BsonValue {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') throw unsupported(value, 'objectId');
  if (!/^[0-9a-fA-F]{24}$/.test(value)) {
    throw mongoError(
      'ConversionFailure',
      `Failed to parse objectId '${value}' in $convert with no onError value: Invalid string length or character for parsing to OID`,
    );
  }
  return new ObjectId(value);
}

const MAX_DATE_MS = 8.64e15;
const ISO_DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:?\d\d))?$/;

function toDate(value: BsonValue): BsonValue {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (isNumeric(value) && !(value instanceof Int32)) {
    const ms = truncatedToInt64(value);
    if (ms === undefined || Math.abs(Number(ms)) > MAX_DATE_MS) throw failed(value, 'it is no date');
    return new Date(Number(ms));
  }
  if (typeof value !== 'string') throw unsupported(value, 'date');
  if (!ISO_DATE.test(value)) throw notImplemented(`the date '${value}', which is not in ISO 8601 form,`);
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw failed(value, 'it is no date');
  return date;
}
