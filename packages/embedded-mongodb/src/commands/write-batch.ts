import type { BsonValue } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { passRecord } from '../computation-limit.ts';
import { MAX_WRITE_BATCH_SIZE } from '../wire/limits.ts';
import type { CommandRequest } from './command.ts';
import { readBoolean } from './fields.ts';
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
  if (operations.length === 0 || operations.length > MAX_WRITE_BATCH_SIZE) {
    throw mongoError(
      'InvalidLength',
      `Write batch sizes must be between 1 and ${MAX_WRITE_BATCH_SIZE}. Got ${operations.length} operations.`,
    );
  }
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
