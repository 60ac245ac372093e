import type { Document } from '../bson/document.ts';
import type { RecordQuery } from '../planner/find-records.ts';
import { parseFilter } from '../semantics/filter.ts';
import type { CommandRequest } from './command.ts';
import { readCount, readDocument } from './fields.ts';

/** The query of a read command. Fields that the command does not have are absent. */
export function readQuery(request: CommandRequest, filterField: 'filter' | 'query'): RecordQuery {
  return {
    filter: parseFilter(readDocument(request, filterField) ?? new Map()),
    sort: readDocument(request, 'sort'),
    skip: readCount(request, 'skip'),
    // `count` accepts a negative limit and ignores the sign.
    limit: Math.abs(readCount(request, 'limit') ?? 0),
    hint: request.body.get('hint'),
  };
}

/** The query of one operation of `update` or `delete`. */
export function operationQuery(operation: Document, limit: number): RecordQuery {
  const filter = parseFilter(operation.get('q') as Document);
  return { filter, hint: operation.get('hint'), limit, isWriting: true };
}
