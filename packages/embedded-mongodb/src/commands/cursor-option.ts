import { isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';

/** `cursor: {batchSize}` of the commands that answer with a cursor. */
export function readCursorBatchSize(request: CommandRequest): number | undefined {
  const value = readDocument(request, 'cursor')?.get('batchSize');
  if (value === undefined) return undefined;
  if (!isNumeric(value)) {
    throw mongoError('TypeMismatch', "BSON field 'cursor.batchSize' is the wrong type, expected a number");
  }
  const size = Math.trunc(toNearestDouble(value));
  if (size >= 0) return size;
  throw mongoError(51024, `BSON field 'batchSize' value must be >= 0, actual value '${value.toString()}'`);
}
