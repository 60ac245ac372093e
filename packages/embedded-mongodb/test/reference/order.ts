import {
  Binary,
  BSONRegExp,
  type BsonValue,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from '../../src/bson/document.ts';
import { compareNumbers, isNumber } from './numbers.ts';

/** A value, or undefined for a missing field. */
export type Maybe = BsonValue | undefined;

/** The name of the value's type in `$type`. */
export function typeOf(value: Maybe): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof Int32) return 'int';
  if (value instanceof Double) return 'double';
  if (value instanceof Timestamp) return 'timestamp';
  if (value instanceof Long) return 'long';
  if (value instanceof Decimal128) return 'decimal';
  if (value instanceof ObjectId) return 'objectId';
  if (value instanceof Binary) return 'binData';
  if (value instanceof BSONRegExp) return 'regex';
  if (value instanceof MinKey) return 'minKey';
  if (value instanceof MaxKey) return 'maxKey';
  throw new Error(`a value outside of the scope: ${String(value)}`);
}

/** The documented order of the types: https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/ */
const TYPE_ORDER = [
  ['minKey'],
  ['missing'],
  ['null'],
  ['int', 'long', 'double', 'decimal'],
  ['string'],
  ['object'],
  ['array'],
  ['binData'],
  ['objectId'],
  ['bool'],
  ['date'],
  ['timestamp'],
  ['regex'],
  ['maxKey'],
];
const RANKS = new Map(TYPE_ORDER.flatMap((names, rank) => names.map((name) => [name, rank] as const)));

/** The position of the value's type in the order of types. All numeric types share one position. */
export function rankOf(value: Maybe): number {
  return RANKS.get(typeOf(value)) as number;
}

const compareBytes = (a: Uint8Array, b: Uint8Array): number => Buffer.compare(a, b);
const compareText = (a: string, b: string): number => compareBytes(Buffer.from(a), Buffer.from(b));
const bytesOf = (binary: Binary): Uint8Array => binary.buffer.subarray(0, binary.position);

/** Returns -1, 0, or 1 in MongoDB's order of all values. */
export function compare(a: Maybe, b: Maybe): number {
  const byType = Math.sign(rankOf(a) - rankOf(b));
  if (byType !== 0) return byType;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (a instanceof Map && b instanceof Map) return compareFields([...a], [...b]);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (a instanceof Binary && b instanceof Binary) {
    return (
      Math.sign(a.position - b.position) ||
      Math.sign(a.sub_type - b.sub_type) ||
      compareBytes(bytesOf(a), bytesOf(b))
    );
  }
  if (a instanceof ObjectId && b instanceof ObjectId) return compareBytes(a.id, b.id);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (a instanceof Date && b instanceof Date) return Math.sign(a.getTime() - b.getTime());
  if (a instanceof Timestamp && b instanceof Timestamp) return Math.sign(a.t - b.t) || Math.sign(a.i - b.i);
  if (a instanceof BSONRegExp && b instanceof BSONRegExp) {
    return compareText(a.pattern, b.pattern) || compareText(a.options, b.options);
  }
  return 0;
}

/** Compares the type, then the name, then the value. */
function compareFields(a: [string, BsonValue][], b: [string, BsonValue][]): number {
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order =
      Math.sign(rankOf(value) - rankOf(other[1])) || compareText(name, other[0]) || compare(value, other[1]);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

export function compareLists(a: readonly Maybe[], b: readonly Maybe[]): number {
  for (const [index, value] of a.entries()) {
    if (index >= b.length) return 1;
    const order = compare(value, b[index]);
    if (order !== 0) return order;
  }
  return Math.sign(a.length - b.length);
}

export const isEqual = (a: Maybe, b: Maybe): boolean => compare(a, b) === 0;

/** Whether the values are bitwise identical, including numeric types, the sign of zero, and decimal exponents. */
export function isIdentical(a: Maybe, b: Maybe): boolean {
  if (typeOf(a) !== typeOf(b)) return false;
  if (a instanceof Map && b instanceof Map) {
    const others = [...b];
    return (
      a.size === b.size &&
      [...a].every(
        ([name, value], index) => name === others[index]?.[0] && isIdentical(value, others[index]?.[1]),
      )
    );
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((value, index) => isIdentical(value, b[index]));
  }
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value);
  if (a instanceof Decimal128 && b instanceof Decimal128) return compareBytes(a.bytes, b.bytes) === 0;
  return compare(a, b) === 0;
}
