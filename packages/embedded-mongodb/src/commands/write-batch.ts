import { type BsonValue, type Document, decodeRequest } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { passRecord } from '../computation-limit.ts';
import type { FieldType } from '../semantics/field-types.ts';
import { MAX_WRITE_BATCH_SIZE } from '../wire/limits.ts';
import type { CommandRequest } from './command.ts';
import { readArray, readBoolean } from './fields.ts';
import { writeError } from './replies.ts';

export function readOrdered(request: CommandRequest): boolean {
  return request.body.has('ordered') ? readBoolean(request, 'ordered') : true;
}

/**
 * Runs the operations of a write command one after the other. An error becomes an entry of `writeErrors`. An ordered
 * batch stops at the first error, an unordered batch continues.
 * @throws MaxTimeMSExpired, which ends the whole batch
 */
export function runWrites<T>(
  operations: readonly T[],
  ordered: boolean,
  run: (operation: T, position: number) => void,
): { writeErrors?: BsonValue[] } {
  assertBatchSize(operations.length);
  const writeErrors: BsonValue[] = [];
  for (const [position, operation] of operations.entries()) {
    try {
      passRecord();
      run(operation, position);
    } catch (error) {
      if (!(error instanceof MongoError) || error.codeName === 'MaxTimeMSExpired') throw error;
      writeErrors.push(writeError(position, error));
      if (ordered) break;
    }
  }
  return writeErrors.length > 0 ? { writeErrors } : {};
}

function assertBatchSize(count: number): void {
  if (count > 0 && count <= MAX_WRITE_BATCH_SIZE) return;
  throw mongoError(
    'InvalidLength',
    `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH_SIZE}. Got ${count} operations.`,
  );
}

/**
 * Reads the operations of a write command from an array in the body or from a kind-1 section.
 * @param type the type of one operation
 */
export function readOperations(request: CommandRequest, field: string, type: FieldType): Document[] {
  const sequence = request.sequences.get(field);
  if (sequence === undefined) return (readArray(request, field) ?? []) as Document[];
  // Before they are decoded.
  assertBatchSize(sequence.length);
  return sequence.map((bytes, position) => {
    const operation = decodeRequest(bytes);
    type.check(operation, `${request.name}.${field}.${position}`);
    return operation;
  });
}
