import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import {
  BsonUndefined,
  type BsonValue,
  DbPointer,
  type Document,
  type NumericValue,
} from '../bson/document.ts';
import type { Collation } from './collation.ts';
import { compareNumbers } from './numbers.ts';

/**
 * Where a type stands in MongoDB's cross-type order; types of one class compare by value. The numbers are
 * MongoDB's canonical types: https://www.mongodb.com/docs/v7.0/reference/bson-type-comparison-order/
 */
export const TYPE_CLASS = {
  minKey: -1,
  undefined: 0,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  dbPointer: 55,
  code: 60,
  codeWithScope: 65,
  maxKey: 127,
} as const;

export type TypeClass = (typeof TYPE_CLASS)[keyof typeof TYPE_CLASS];

/** The value's class in the cross-type order: all numbers are one class, strings and symbols another. */
export function typeClassOf(value: BsonValue): TypeClass {
  if (typeof value === 'string') return TYPE_CLASS.string;
  if (value === null) return TYPE_CLASS.null;
  if (typeof value === 'boolean') return TYPE_CLASS.bool;
  if (value instanceof Int32 || value instanceof Double) return TYPE_CLASS.number;
  if (value instanceof Map) return TYPE_CLASS.object;
  if (Array.isArray(value)) return TYPE_CLASS.array;
  if (value instanceof Date) return TYPE_CLASS.date;
  if (value instanceof ObjectId) return TYPE_CLASS.objectId;
  if (value instanceof Timestamp) return TYPE_CLASS.timestamp;
  if (value instanceof Long || value instanceof Decimal128) return TYPE_CLASS.number;
  if (value instanceof Binary) return TYPE_CLASS.binData;
  if (value instanceof BSONRegExp) return TYPE_CLASS.regex;
  if (value instanceof BSONSymbol) return TYPE_CLASS.string;
  if (value instanceof Code) return value.scope === null ? TYPE_CLASS.code : TYPE_CLASS.codeWithScope;
  if (value instanceof MinKey) return TYPE_CLASS.minKey;
  if (value instanceof MaxKey) return TYPE_CLASS.maxKey;
  if (value instanceof BsonUndefined) return TYPE_CLASS.undefined;
  if (value instanceof DbPointer) return TYPE_CLASS.dbPointer;
  throw new TypeError(`not a BSON value: ${String(value)}`);
}

/**
 * MongoDB's total order over all BSON values: negative, 0 or positive. Numbers compare by exact value, strings by
 * the collation, also within documents and arrays; names of fields always by their bytes.
 */
export function compareValues(a: BsonValue, b: BsonValue, collation?: Collation): number {
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b, collation);
  if (a instanceof Int32 && b instanceof Int32) return a.value - b.value;
  const typeClass = typeClassOf(a);
  const difference = typeClass - typeClassOf(b);
  return difference === 0 ? compareWithinClass(typeClass, a, b, collation) : difference;
}

/** Whether MongoDB holds the two for the same value: 1 equals 1.0, documents must agree in field order. */
export function equalValues(a: BsonValue, b: BsonValue, collation?: Collation): boolean {
  return compareValues(a, b, collation) === 0;
}

/** Compares two values that are known to be of the class given. */
export function compareWithinClass(
  typeClass: TypeClass,
  a: BsonValue,
  b: BsonValue,
  collation?: Collation,
): number {
  switch (typeClass) {
    case TYPE_CLASS.number:
      return compareNumbers(a as NumericValue, b as NumericValue);
    case TYPE_CLASS.string:
      return compareTexts(textOf(a), textOf(b), collation);
    case TYPE_CLASS.object:
      return compareDocuments(a as Document, b as Document, collation);
    case TYPE_CLASS.array:
      return compareArrays(a as BsonValue[], b as BsonValue[], collation);
    case TYPE_CLASS.bool:
      return Number(a) - Number(b);
    case TYPE_CLASS.date:
      return (a as Date).getTime() - (b as Date).getTime();
    case TYPE_CLASS.objectId:
      return compareBytes((a as ObjectId).id, (b as ObjectId).id);
    case TYPE_CLASS.binData:
      return compareBinaries(a as Binary, b as Binary);
    case TYPE_CLASS.timestamp:
      return compareTimestamps(a as Timestamp, b as Timestamp);
    case TYPE_CLASS.regex:
      return compareRegexes(a as BSONRegExp, b as BSONRegExp);
    case TYPE_CLASS.code:
      return compareStrings((a as Code).code, (b as Code).code);
    case TYPE_CLASS.codeWithScope:
      return compareCodeWithScope(a as Code, b as Code);
    case TYPE_CLASS.dbPointer:
      return compareDbPointers(a as DbPointer, b as DbPointer);
    default:
      return 0; // MinKey, MaxKey, null and undefined have one value each.
  }
}

function textOf(value: BsonValue): string {
  return typeof value === 'string' ? value : (value as BSONSymbol).value;
}

function compareTexts(a: string, b: string, collation: Collation | undefined): number {
  return collation === undefined ? compareStrings(a, b) : collation.compareStrings(a, b);
}

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Compares as the UTF-8 bytes do, which is by code point. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    // JavaScript's own order is by UTF-16 unit: it puts U+FFFD above U+1F600, as surrogates are below U+E000.
    const leftIsSurrogate = left >= FIRST_SURROGATE && left <= LAST_SURROGATE;
    const rightIsSurrogate = right >= FIRST_SURROGATE && right <= LAST_SURROGATE;
    if (leftIsSurrogate !== rightIsSurrogate) {
      const other = leftIsSurrogate ? right : left;
      if (other > LAST_SURROGATE) return leftIsSurrogate ? 1 : -1;
    }
    return left - right;
  }
  return a.length - b.length;
}

function compareDocuments(a: Document, b: Document, collation?: Collation): number {
  const others = b.entries();
  for (const [name, value] of a) {
    const other = others.next();
    if (other.done) return 1;
    const [otherName, otherValue] = other.value;
    const order =
      typeClassOf(value) - typeClassOf(otherValue) ||
      compareStrings(name, otherName) ||
      compareValues(value, otherValue, collation);
    if (order !== 0) return order;
  }
  return a.size - b.size;
}

function compareArrays(
  a: readonly BsonValue[],
  b: readonly BsonValue[],
  collation: Collation | undefined,
): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const order = compareValues(a[index] as BsonValue, b[index] as BsonValue, collation);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares byte by byte, a prefix before what it is a prefix of: memcmp's order. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return Buffer.compare(a, b);
}

function compareBinaries(a: Binary, b: Binary): number {
  return (
    a.position - b.position ||
    a.sub_type - b.sub_type ||
    compareBytes(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position))
  );
}

function compareTimestamps(a: Timestamp, b: Timestamp): number {
  return (a.high >>> 0) - (b.high >>> 0) || (a.low >>> 0) - (b.low >>> 0);
}

function compareRegexes(a: BSONRegExp, b: BSONRegExp): number {
  return compareStrings(a.pattern, b.pattern) || compareStrings(a.options, b.options);
}

function compareCodeWithScope(a: Code, b: Code): number {
  return (
    compareStrings(a.code, b.code) ||
    compareDocuments(a.scope as unknown as Document, b.scope as unknown as Document)
  );
}

function compareDbPointers(a: DbPointer, b: DbPointer): number {
  return compareStrings(a.namespace, b.namespace) || compareBytes(a.id.id, b.id.id);
}
