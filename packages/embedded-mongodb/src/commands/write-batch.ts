import type { BsonValue, Document } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { MAX_WRITE_BATCH_SIZE } from '../wire/limits.ts';
import type { CommandRequest } from './command.ts';
import { readBoolean } from './fields.ts';
import { writeError } from './replies.ts';

export function readOrdered(request: CommandRequest): boolean {
  return request.body.has('ordered') ? readBoolean(request, 'ordered') : true;
}

/**
 * Runs the operations of a write command one after the other. A refused one becomes an entry of `writeErrors`;
 * ordered batches end with it, unordered ones go on.
 */
export function runWrites<T>(
  operations: readonly T[],
  ordered: boolean,
  run: (operation: T, position: number) => void,
): { writeErrors?: BsonValue[] } {
  if (operations.length === 0 || operations.length > MAX_WRITE_BATCH_SIZE) {
    throw mongoError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH_SIZE}. Got ${operations.length} operations.`,
    );
  }
  const writeErrors: BsonValue[] = [];
  for (const [position, operation] of operations.entries()) {
    try {
      run(operation, position);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      writeErrors.push(writeError(position, error));
      if (ordered) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

/** @throws 40415 for a field that an operation of a write command does not take. */
export function assertOperationFields(where: string, operation: Document, fields: readonly string[]): void {
  for (const field of operation.keys()) {
    if (!fields.includes(field))
      throw mongoError(40415, `BSON field '${where}.${field}' is an unknown field.`);
  }
}

/** @throws 40414 for a field that an operation of a write command lacks; TypeMismatch for a `q` that is no document. */
export function assertRequired(where: string, operation: Document, fields: readonly string[]): void {
  for (const field of fields) {
    if (!operation.has(field)) {
      throw mongoError(40414, `BSON field '${where}.${field}' is missing but a required field`);
    }
  }
  if (operation.get('q') instanceof Map) return;
  throw mongoError('TypeMismatch', `BSON field '${where}.q' is the wrong type, expected type 'object'`);
}
