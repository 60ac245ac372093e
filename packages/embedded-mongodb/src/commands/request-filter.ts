import type { BsonValue } from '../bson/document.ts';
import { notImplemented } from '../bson/mongo-error.ts';
import { type FilterNode, parseFilter } from '../semantics/filter.ts';
import type { CommandRequest } from './command.ts';

/** Parses a filter of a command. Absent: every document. */
export function parseRequestFilter(_request: CommandRequest, filter: BsonValue | undefined): FilterNode {
  return parseFilter(filter ?? new Map(), {
    parseExpression: () => {
      throw notImplemented('$expr');
    },
  });
}
