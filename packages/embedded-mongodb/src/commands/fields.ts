import { type BsonValue, type Document, decode, isNumeric, Long, typeName } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';

/** Readers of a command's fields: each gives the value, undefined where absent or null, or MongoDB's refusal. */

function wrongType(request: CommandRequest, field: string, value: BsonValue, expected: string): Error {
  return mongoError(
    'TypeMismatch',
    `BSON field '${request.name}.${field}' is the wrong type '${typeName(value)}', expected type '${expected}'`,
  );
}

export function missingField(request: CommandRequest, field: string): Error {
  return mongoError(40414, `BSON field '${request.name}.${field}' is missing but a required field`);
}

/** Null counts as absent: drivers in several languages send it so. */
function present(request: CommandRequest, field: string): BsonValue | undefined {
  return request.body.get(field) ?? undefined;
}

export function readString(request: CommandRequest, field: string): string | undefined {
  const value = present(request, field);
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(request, field, value, 'string');
}

export function readDocument(request: CommandRequest, field: string): Document | undefined {
  const value = present(request, field);
  if (value === undefined || value instanceof Map) return value;
  throw wrongType(request, field, value, 'object');
}

export function readArray(request: CommandRequest, field: string): BsonValue[] | undefined {
  const value = present(request, field);
  if (value === undefined || Array.isArray(value)) return value;
  throw wrongType(request, field, value, 'array');
}

/** Booleans, and numbers as mongod's "safe bool". */
export function readBoolean(request: CommandRequest, field: string): boolean {
  const value = present(request, field);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (isNumeric(value)) return toNearestDouble(value) !== 0;
  throw wrongType(request, field, value, 'bool');
}

/** The value as a JavaScript number, undefined when it is no number at all. */
export function numberOf(value: BsonValue | undefined): number | undefined {
  return value !== undefined && isNumeric(value) ? toNearestDouble(value) : undefined;
}

/** A whole number ≥ 0; fractions are cut off, as mongod does. */
export function readCount(request: CommandRequest, field: string): number | undefined {
  const value = present(request, field);
  if (value === undefined) return undefined;
  if (!isNumeric(value)) throw wrongType(request, field, value, 'long');
  const number = Math.trunc(toNearestDouble(value));
  if (!(number >= 0)) {
    throw mongoError(51024, `BSON field '${field}' value must be >= 0, actual value '${value.toString()}'`);
  }
  return number;
}

export function readLong(request: CommandRequest, field: string): Long {
  const value = present(request, field);
  if (value === undefined) throw missingField(request, field);
  if (value instanceof Long) return value;
  if (isNumeric(value)) return Long.fromNumber(toNearestDouble(value));
  throw wrongType(request, field, value, 'long');
}

/** The collection a command is about: the value of its first field. */
export function readCollectionName(request: CommandRequest, field: string = request.name): string {
  const value = request.body.get(field);
  if (value === undefined && field !== request.name) throw missingField(request, field);
  if (typeof value !== 'string') {
    throw mongoError(
      'InvalidNamespace',
      `collection name has invalid type ${value === undefined ? 'missing' : typeName(value)}`,
    );
  }
  if (value === '') {
    throw mongoError('InvalidNamespace', `Invalid namespace specified '${request.databaseName}.'`);
  }
  if (value.includes('\0')) {
    throw mongoError('InvalidNamespace', 'namespaces cannot have embedded null characters');
  }
  return value;
}

/** The operations of a write command: from a kind-1 section, or from an array in the body. */
export function readDocuments(request: CommandRequest, field: string): Document[] {
  const sequence = request.sequences.get(field);
  if (sequence !== undefined) return sequence.map(decode);
  const value = readArray(request, field);
  if (value === undefined) throw missingField(request, field);
  return value.map((element, position) => {
    if (element instanceof Map) return element;
    throw wrongType(request, `${field}.${position}`, element, 'object');
  });
}
