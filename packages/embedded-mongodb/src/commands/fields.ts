import { type BsonValue, type Document, isNumeric, typeName } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';

/*
 * Readers of a command's fields. Each returns the value, or undefined if the field is absent or null. They rely on the
 * type checks of Command.fields.
 */

export function readString({ body }: CommandRequest, field: string): string | undefined {
  const value = body.get(field);
  return typeof value === 'string' ? value : undefined;
}

export function readDocument({ body }: CommandRequest, field: string): Document | undefined {
  const value = body.get(field);
  return value instanceof Map ? value : undefined;
}

export function readArray({ body }: CommandRequest, field: string): BsonValue[] | undefined {
  const value = body.get(field);
  return Array.isArray(value) ? value : undefined;
}

/** False if absent. A number counts as true unless it is 0. */
export function readBoolean({ body }: CommandRequest, field: string): boolean {
  const value = body.get(field);
  return isNumeric(value) ? toNearestDouble(value) !== 0 : value === true;
}

/** The value as a JavaScript number; undefined if it is not a number. */
export function numberOf(value: BsonValue | undefined): number | undefined {
  return isNumeric(value) ? toNearestDouble(value) : undefined;
}

/** Reads a whole number. As in mongod, fractions are truncated and NaN counts as 0. */
export function readCount({ body }: CommandRequest, field: string): number | undefined {
  const number = numberOf(body.get(field));
  return number === undefined ? undefined : Math.trunc(number) || 0;
}

/** The collection that a command names in its first field. */
export function readCollectionName(request: CommandRequest, field: string = request.name): string {
  const value = request.body.get(field);
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
