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

/** The value in mongosh syntax. */
export function textOf(value: BsonValue | undefined): string {
  if (value === undefined) return '(none)';
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (value instanceof Map) {
    return `{${[...value].map(([name, field]) => `${JSON.stringify(name)}: ${textOf(field)}`).join(', ')}}`;
  }
  if (value instanceof Date) return `ISODate(${JSON.stringify(value)})`;
  if (value instanceof Int32) return String(value.value);
  if (value instanceof Double) return `Double(${Object.is(value.value, -0) ? '-0' : value.value})`;
  if (value instanceof Timestamp) return `Timestamp(${value.t}, ${value.i})`;
  if (value instanceof Long) return `Long('${value}')`;
  if (value instanceof Decimal128) return `Decimal128('${value}')`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Binary) return `HexData(${value.sub_type}, '${value.toString('hex')}')`;
  if (value instanceof BSONRegExp) return `BSONRegExp(${JSON.stringify(value.pattern)}, '${value.options}')`;
  if (value instanceof MinKey) return 'MinKey()';
  if (value instanceof MaxKey) return 'MaxKey()';
  return String(value);
}
