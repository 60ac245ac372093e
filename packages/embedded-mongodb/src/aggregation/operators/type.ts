import { Decimal128, Double, Int32, Long, ObjectId } from 'bson';
import { BSON_TYPE, type BsonValue, isNumeric, typeName } from '../../bson/document.ts';
import { MongoError, mongoError, notImplemented } from '../../bson/mongo-error.ts';
import { toDecimal } from '../../semantics/arithmetic.ts';
import { truncatedToInt64 } from '../../semantics/filter/predicate.ts';
import { toNearestDouble } from '../../semantics/numbers.ts';
import { truthOf } from '../../semantics/truth.ts';
import {
  type CompileOperator,
  isNullish,
  namedOperands,
  type Operators,
  onArguments,
  type Recurse,
} from '../operator.ts';
import type { Evaluate } from '../scope.ts';

type Convert = (value: BsonValue) => BsonValue;

/** By the type that `$convert` names. */
const CONVERSIONS: Readonly<Record<string, Convert>> = {
  bool: (value) => typeof value === 'string' || truthOf(value),
  int: (value) => toWhole(value, 32),
  long: (value) => toWhole(value, 64),
  double: toDouble,
  decimal: toDecimalValue,
  string: toText,
  objectId: toObjectId,
  date: toDate,
};

export const TYPE_OPERATORS: Operators = {
  $type: onArguments(1, ([value]) => (value === undefined ? 'missing' : typeName(value))),
  $isNumber: onArguments(1, ([value]) => value !== undefined && isNumeric(value)),
  $toBool: conversion('bool'),
  $toInt: conversion('int'),
  $toLong: conversion('long'),
  $toDouble: conversion('double'),
  $toDecimal: conversion('decimal'),
  $toString: conversion('string'),
  $toObjectId: conversion('objectId'),
  $toDate: conversion('date'),
  $convert: compileConvert,
};

function conversion(target: string): CompileOperator {
  const convert = CONVERSIONS[target] as Convert;
  return onArguments(1, ([value]) => (isNullish(value) ? null : convert(value)));
}

function compileConvert(operand: BsonValue, recurse: Recurse, name: string): Evaluate {
  const named = namedOperands(name, operand, ['input', 'to'], ['onError', 'onNull']);
  const input = recurse(named.get('input') as BsonValue);
  const to = recurse(named.get('to') as BsonValue);
  const onNull = recurse(named.get('onNull') ?? null);
  const onError = named.has('onError') ? recurse(named.get('onError') as BsonValue) : undefined;
  return (scope) => {
    const target = to(scope);
    const value = input(scope);
    if (isNullish(target)) return null;
    const convert = conversionTo(target);
    if (isNullish(value)) return onNull(scope);
    try {
      return convert(value);
    } catch (error) {
      const isFailure = error instanceof MongoError && error.codeName === 'ConversionFailure';
      if (onError === undefined || !isFailure) throw error;
      return onError(scope);
    }
  };
}

function conversionTo(target: BsonValue): Convert {
  const name = isNumeric(target) ? typeNameOf(toNearestDouble(target)) : target;
  if (typeof name !== 'string')
    throw mongoError('FailedToParse', "$convert's 'to' argument must be a string or number");
  const convert = Object.hasOwn(CONVERSIONS, name) ? CONVERSIONS[name] : undefined;
  if (convert === undefined)
    throw mongoError(
      'BadValue',
      `$convert's 'to' argument is no type that there is a conversion to: ${name}`,
    );
  return convert;
}

function typeNameOf(number: number): string {
  return Object.entries(BSON_TYPE).find(([, type]) => type === number)?.[0] ?? String(number);
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
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const text = String(value);
  const magnitude = Math.abs(value);
  const isPlain = magnitude >= PLAIN_DOUBLE_MIN && magnitude < PLAIN_DOUBLE_MAX;
  // MongoDB writes 16 digits, JavaScript as few as tell the double from its neighbours: 9.95 would differ.
  const sixteenDigits = value.toPrecision(16).replace(/\.?0+$/, '');
  if (!isPlain || sixteenDigits !== text) {
    throw notImplemented(`the double ${text} as text`);
  }
  return text;
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
