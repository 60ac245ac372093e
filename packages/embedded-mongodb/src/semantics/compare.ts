import {
  Binary,
  BSONRegExp,
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
  type Document,
  type NumericValue,
  typeNumber,
} from '../bson/document.ts';
import { spendSteps } from '../computation-limit.ts';
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
  maxKey: 127,
} as const;

export type TypeClass = (typeof TYPE_CLASS)[keyof typeof TYPE_CLASS];

/** The value's class in the cross-type order: all numbers are one class. */
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
  if (value instanceof MinKey) return TYPE_CLASS.minKey;
  if (value instanceof MaxKey) return TYPE_CLASS.maxKey;
  if (value instanceof BsonUndefined) return TYPE_CLASS.undefined;
  throw new TypeError(`not a BSON value: ${String(value)}`);
}

/**
 * MongoDB's total order over all BSON values: negative, 0 or positive. Numbers compare by exact value, strings and
 * field names by their UTF-8 bytes.
 */
export function compareValues(a: BsonValue, b: BsonValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (a instanceof Int32 && b instanceof Int32) return a.value - b.value;
  const typeClass = typeClassOf(a);
  const difference = typeClass - typeClassOf(b);
  return difference === 0 ? compareWithinClass(typeClass, a, b) : difference;
}

/** Whether MongoDB considers the two equal: 1 equals 1.0, documents must agree in field order. */
export function equalValues(a: BsonValue, b: BsonValue): boolean {
  return compareValues(a, b) === 0;
}

/**
 * Whether two values are stored as the same bytes: same types all the way down, unlike equalValues for which 1 is 1.0.
 * An update that leaves identical values is no change.
 */
export function identicalValues(a: BsonValue, b: BsonValue): boolean {
  if (a === b) return true;
  if (typeNumber(a) !== typeNumber(b)) return false;
  if (a instanceof Map && b instanceof Map) return identicalLists([...a].flat(), [...b].flat());
  if (Array.isArray(a) && Array.isArray(b)) return identicalLists(a, b);
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value);
  if (a instanceof Decimal128 && b instanceof Decimal128) return compareBytes(a.bytes, b.bytes) === 0;
  return compareValues(a, b) === 0;
}

function identicalLists(a: readonly BsonValue[], b: readonly BsonValue[]): boolean {
  return a.length === b.length && a.every((value, index) => identicalValues(value, b[index] as BsonValue));
}

/** Compares two values that are known to be of the class given. */
export function compareWithinClass(typeClass: TypeClass, a: BsonValue, b: BsonValue): number {
  switch (typeClass) {
    case TYPE_CLASS.number:
      return compareNumbers(a as NumericValue, b as NumericValue);
    case TYPE_CLASS.string:
      return compareStrings(a as string, b as string);
    case TYPE_CLASS.object:
      return compareDocuments(a as Document, b as Document);
    case TYPE_CLASS.array:
      return compareArrays(a as BsonValue[], b as BsonValue[]);
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
    default:
      return 0; // MinKey, MaxKey, null and undefined have one value each.
  }
}

/** Comparing longer text is charged. */
export const LONG_TEXT = 1000;
const CHARACTERS_PER_STEP = 100;
const ELEMENTS_PER_STEP = 4;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Compares as the UTF-8 bytes do, which is by code point. */
export function compareStrings(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  if (shared > LONG_TEXT) spendSteps(shared / CHARACTERS_PER_STEP);
  if (a === b) return 0;
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

function compareDocuments(a: Document, b: Document): number {
  spendSteps(1);
  const others = b.entries();
  for (const [name, value] of a) {
    const other = others.next();
    if (other.done) return 1;
    const [otherName, otherValue] = other.value;
    const order =
      typeClassOf(value) - typeClassOf(otherValue) ||
      compareStrings(name, otherName) ||
      compareValues(value, otherValue);
    if (order !== 0) return order;
  }
  return a.size - b.size;
}

function compareArrays(a: readonly BsonValue[], b: readonly BsonValue[]): number {
  spendSteps(1);
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    if (index % ELEMENTS_PER_STEP === 0) spendSteps(1);
    const order = compareValues(a[index] as BsonValue, b[index] as BsonValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares byte by byte, a prefix before what it is a prefix of: memcmp's order. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
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
