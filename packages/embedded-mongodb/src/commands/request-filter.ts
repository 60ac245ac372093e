import { compileExpression } from '../aggregation/expression.ts';
import { BSON_UNDEFINED, type BsonValue, type Document } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';
import { type FilterNode, parseFilter } from '../semantics/filter.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';

/** Parses a filter of a command, where `$expr` may refer to the command's `let`. Absent: every document. */
export function parseRequestFilter(
  request: CommandRequest,
  filter: BsonValue | undefined,
  collation?: Collation,
): FilterNode {
  return parseFilter(filter ?? new Map(), { variables: variablesOf(request, collation), collation });
}

/** The values of `let`: expressions without a document. */
export function variablesOf(request: CommandRequest, collation?: Collation): Document {
  const scope = { root: new Map(), now: new Date(), variables: new Map(), collation };
  const variables: Document = new Map();
  for (const [name, expression] of readDocument(request, 'let') ?? []) {
    variables.set(name, compileExpression(expression)(scope) ?? BSON_UNDEFINED);
  }
  return variables;
}
