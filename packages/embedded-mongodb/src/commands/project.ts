import { scopeOf } from '../aggregation/scope.ts';
import type { Document } from '../bson/document.ts';
import { applyProjection, parseProjection } from '../semantics/projection.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';

/** Applies a projection to a document. */
export type Project = (document: Document) => Document;

/** Reads the projection in a field of the command; undefined if the field is absent. */
export function readProject(request: CommandRequest, field: string): Project | undefined {
  const specification = readDocument(request, field);
  const projection = specification && parseProjection(specification);
  if (projection === undefined) return undefined;
  const now = new Date();
  return (document) => applyProjection(projection, scopeOf(document, now));
}
