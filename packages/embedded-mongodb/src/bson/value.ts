import {
  type Binary,
  type BSONRegExp,
  Decimal128,
  Double,
  Int32,
  Long,
  type MaxKey,
  type MinKey,
  type ObjectId,
  Timestamp,
} from 'bson';

/** The index key of an empty array: BSON's deprecated `undefined`, which clients cannot store. */
export class BsonUndefined {
  readonly kind = 'undefined';
}
export const BSON_UNDEFINED = new BsonUndefined();

export type NumericValue = Int32 | Long | Double | Decimal128;

/** A BSON value with its exact type. Values are immutable. Only documents and arrays contain other values. */
export type BsonValue =
  | NumericValue
  | string
  | boolean
  | null
  | Date
  | ObjectId
  | Binary
  | BSONRegExp
  | Timestamp
  | MinKey
  | MaxKey
  | BsonUndefined
  | BsonValue[]
  | Document;

/** A Map keeps the order of all fields, including names such as `1` and `__proto__`. */
export type Document = Map<string, BsonValue>;

/** BSON's type numbers, as on the wire (MinKey is -1 where MongoDB names types by number). */
export const BSON_TYPE = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  maxKey: 127,
  minKey: -1,
} as const;

/** MongoDB's name of a BSON type, as in `$type`. */
export type BsonTypeName = keyof typeof BSON_TYPE;

const NAME_BY_BSON_TAG: Readonly<Record<string, BsonTypeName>> = {
  Int32: 'int',
  Double: 'double',
  Long: 'long',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Binary: 'binData',
  UUID: 'binData',
  BSONRegExp: 'regex',
  Timestamp: 'timestamp',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
};

/** MongoDB's name of the value's type, e.g. `int`, `object`, `objectId`. */
export function typeName(value: BsonValue): BsonTypeName {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return 'null';
  if (value instanceof Map) return 'object';
  if (Array.isArray(value)) return 'array';
  if (value instanceof Date) return 'date';
  if (value instanceof BsonUndefined) return 'undefined';
  const name = NAME_BY_BSON_TAG[value._bsontype];
  if (name === undefined) throw new TypeError(`not a BSON value: ${String(value)}`);
  return name;
}

/** The value's BSON type number, e.g. 16 for int. */
export function typeNumber(value: BsonValue): number {
  return BSON_TYPE[typeName(value)];
}

export function isDocument(value: unknown): value is Document {
  return value instanceof Map;
}

export function isNumeric(value: unknown): value is NumericValue {
  return value instanceof Int32 || value instanceof Double || isLong(value) || value instanceof Decimal128;
}

/** Whether the value is an int64. The bson library's Timestamp extends Long but is not an int64. */
export function isLong(value: unknown): value is Long {
  return value instanceof Long && !(value instanceof Timestamp);
}

/** Creates a document from a plain object of BSON values. */
export function documentOf(fields: Readonly<Record<string, BsonValue>>): Document {
  return new Map(Object.entries(fields));
}

export const int32 = (value: number): Int32 => new Int32(value);
export const double = (value: number): Double => new Double(value);
export const long = (value: bigint | number): Long =>
  typeof value === 'bigint' ? Long.fromBigInt(value) : Long.fromNumber(value);
export const decimal = (text: string): Decimal128 => Decimal128.fromString(text);

/** The whole number as an int32 if it fits, otherwise as an int64. MongoDB returns counts this way. */
export function integer(value: number): Int32 | Long {
  return value === (value | 0) ? new Int32(value) : Long.fromNumber(value);
}
