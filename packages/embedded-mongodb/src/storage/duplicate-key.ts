import {
  Binary,
  type BsonValue,
  Decimal128,
  type Document,
  Double,
  Int32,
  Long,
  ObjectId,
} from '../bson/document.ts';
import { MongoError } from '../bson/mongo-error.ts';
import type { KeyValues } from '../semantics/index-keys.ts';
import type { IndexDefinition } from './index-definition.ts';

/** Code 11000, with the index and the duplicate values, which drivers and mongoose read. */
export class DuplicateKeyError extends MongoError {
  readonly keyPattern: Document;
  readonly keyValue: Document;

  constructor(namespace: string, index: IndexDefinition, values: KeyValues) {
    const keyValue: Document = new Map(
      index.fields.map(({ path }, position) => [path, values[position] as BsonValue]),
    );
    super(
      11000,
      'DuplicateKey',
      `E11000 duplicate key error collection: ${namespace} index: ${index.name} dup key: ${inShellForm(keyValue)}`,
    );
    this.keyPattern = index.specification.get('key') as Document;
    this.keyValue = keyValue;
  }
}

/** The value as mongod prints it in messages. */
function inShellForm(value: BsonValue): string {
  if (value instanceof Map) {
    if (value.size === 0) return '{}';
    return `{ ${[...value].map(([name, inner]) => `${name}: ${inShellForm(inner)}`).join(', ')} }`;
  }
  if (Array.isArray(value)) return `[ ${value.map(inShellForm).join(', ')} ]`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Int32 || value instanceof Long) return value.toString();
  if (value instanceof Double)
    return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (value instanceof Decimal128) return `NumberDecimal('${value.toString()}')`;
  if (value instanceof Binary) return `BinData(${value.sub_type}, ${value.toString('hex').toUpperCase()})`;
  return value === null || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}
