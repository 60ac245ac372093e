import { isNumeric } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { toNearestDouble } from '../semantics/numbers.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';

/** `cursor: {batchSize}` of the commands that answer with a cursor. */
export function readCursorBatchSize(request: CommandRequest): number | undefined {
  const value = readDocument(request, 'cursor')?.get('batchSize');
  if (value === undefined) return undefined;
  const size = isNumeric(value) ? Math.trunc(toNearestDouble(value)) : Number.NaN;
  if (size >= 0) return size;
  throw mongoError('BadValue', 'cursor.batchSize must be a number that is not negative');
}
