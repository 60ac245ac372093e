import type { CommandRequest } from './command.ts';
import { numberOf, readDocument } from './fields.ts';

/** Reads `cursor: {batchSize}` of a command that returns a cursor. */
export function readCursorBatchSize(request: CommandRequest): number | undefined {
  const size = numberOf(readDocument(request, 'cursor')?.get('batchSize'));
  return size === undefined ? undefined : Math.trunc(size) || 0;
}
