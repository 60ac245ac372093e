import type { Document } from '../bson/document.ts';
import type { Collation } from '../semantics/collation.ts';
import type { MatchPosition } from '../semantics/filter.ts';
import { applyProjection, parseProjection } from '../semantics/projection.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';
import { variablesOf } from './request-filter.ts';

/** Turns a found document into what the client asked for. */
export type Project = (document: Document, position: MatchPosition | undefined) => Document;

/** Reads the projection in a field of the command; undefined where documents are wanted whole. */
export function readProject(
  request: CommandRequest,
  field: string,
  collation?: Collation,
): Project | undefined {
  const specification = readDocument(request, field);
  if (specification === undefined) return undefined;
  const variables = variablesOf(request, collation);
  const projection = parseProjection(specification, new Set(variables.keys()), collation);
  if (projection === undefined) return undefined;
  const now = new Date();
  return (root, position) =>
    applyProjection(projection, { root, now, variables, collation }, position?.index);
}
