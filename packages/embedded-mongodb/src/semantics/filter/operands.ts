import { Binary, BSONRegExp } from 'bson';
import { BSON_TYPE, type BsonTypeName, type BsonValue, isNumeric } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { toNearestDouble } from '../numbers.ts';
import type { Predicate } from './node.ts';
import { bitsOf, truncatedToInt64 } from './predicate.ts';
import { type CompiledRegex, compileRegex } from './regex.ts';

export function parseRegexOperator(operand: BsonValue, options: BsonValue | undefined): CompiledRegex {
  if (options !== undefined && typeof options !== 'string')
    throw mongoError('BadValue', '$options has to be a string');
  if (typeof operand === 'string') return compileRegex(operand, options ?? '');
  if (!(operand instanceof BSONRegExp)) throw mongoError('BadValue', '$regex has to be a string');
  if (options !== undefined && operand.options !== '')
    throw mongoError(51075, 'options set in both $regex and $options');
  return compileRegex(operand.pattern, options ?? operand.options);
}

/** The operand of $type: a type's number or name, `number` for all four of them, or an array of such. */
export function parseTypes(operand: BsonValue): Predicate & { kind: 'type' } {
  const given = Array.isArray(operand) ? operand : [operand];
  if (given.length === 0) throw mongoError('FailedToParse', '$type must match at least one type');
  const types = new Set<number>();
  let matchesAnyNumber = false;
  for (const type of given) {
    if (type === 'number') matchesAnyNumber = true;
    else types.add(parseType(type));
  }
  return { kind: 'type', types, matchesAnyNumber };
}

const TYPE_NUMBERS: ReadonlySet<number> = new Set(Object.values(BSON_TYPE));

function parseType(type: BsonValue): number {
  if (typeof type === 'string') {
    const number = Object.hasOwn(BSON_TYPE, type) ? BSON_TYPE[type as BsonTypeName] : undefined;
    if (number === undefined) throw mongoError('BadValue', `Unknown type name alias: ${type}`);
    return number;
  }
  if (!isNumeric(type)) throw mongoError('TypeMismatch', 'type must be represented as a number or a string');
  const number = toNearestDouble(type);
  if (number === 0) {
    throw mongoError('BadValue', 'Invalid numerical type code: 0. Instead use {$exists:false}.');
  }
  if (!TYPE_NUMBERS.has(number)) throw mongoError('BadValue', `Invalid numerical type code: ${number}`);
  return number;
}

export function parseMod(operand: BsonValue): Predicate & { kind: 'mod' } {
  if (!Array.isArray(operand)) throw mongoError('BadValue', 'malformed mod, needs to be an array');
  if (operand.length < 2) throw mongoError('BadValue', 'malformed mod, not enough elements');
  if (operand.length > 2) throw mongoError('BadValue', 'malformed mod, too many elements');
  const [divisor, remainder] = operand.map(truncatedToInt64);
  if (divisor === undefined) throw mongoError('BadValue', 'malformed mod, divisor not a number');
  if (remainder === undefined) throw mongoError('BadValue', 'malformed mod, remainder not a number');
  if (divisor === 0n) throw mongoError('BadValue', 'divisor cannot be 0');
  return { kind: 'mod', divisor, remainder };
}

export function parseSize(operand: BsonValue): Predicate & { kind: 'size' } {
  if (!isNumeric(operand)) throw mongoError('BadValue', 'Failed to parse $size. Expected a number in: $size');
  const size = toNearestDouble(operand);
  if (!Number.isSafeInteger(size))
    throw mongoError('BadValue', `Failed to parse $size. Expected an integer: $size: ${size}`);
  if (size < 0) {
    throw mongoError('BadValue', `Failed to parse $size. Expected a non-negative number in: $size: ${size}`);
  }
  return { kind: 'size', size };
}

/** The bits of the largest document: a mask beyond them could match nothing that is stored. */
const MAX_BIT_POSITION = 16 * 1024 * 1024 * 8;

/** The operand of a $bits… operator: a mask as number or binary data, or an array of bit positions. */
export function parseBitMask(name: string, operand: BsonValue): bigint {
  if (Array.isArray(operand)) {
    return operand.reduce((mask: bigint, position) => mask | (1n << parseBitPosition(position)), 0n);
  }
  if (!(operand instanceof Binary) && !isNumeric(operand)) {
    throw mongoError(
      'BadValue',
      `${name} takes an Array, a number, or a BinData but received: ${String(operand)}`,
    );
  }
  const mask = bitsOf(operand);
  if (mask === undefined)
    throw mongoError('FailedToParse', `Expected an integer: ${name}: ${String(operand)}`);
  if (mask < 0n) throw mongoError('FailedToParse', `Expected a non-negative number in: ${name}: ${mask}`);
  return mask;
}

function parseBitPosition(position: BsonValue): bigint {
  const bits = bitsOf(isNumeric(position) ? position : undefined);
  if (bits === undefined) throw mongoError('FailedToParse', 'bit positions must be an integer');
  if (bits < 0n) throw mongoError('FailedToParse', 'bit positions must be >= 0');
  if (bits > MAX_BIT_POSITION)
    throw mongoError('BadValue', `bit positions must be at most ${MAX_BIT_POSITION}`);
  return bits;
}
