import type { CommandRequest } from './command.ts';
import { numberOf, readDocument } from './fields.ts';

/** `cursor: {batchSize}` of the commands that return a cursor. */
export function readCursorBatchSize(request: CommandRequest): number | undefined {
  const size = numberOf(readDocument(request, 'cursor')?.get('batchSize'));
  return size === undefined ? undefined : Math.trunc(size) || 0;
}
