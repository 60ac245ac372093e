import type { Document } from '../bson/document.ts';
import { parseProjection, projectFields } from '../semantics/projection.ts';
import type { CommandRequest } from './command.ts';
import { readDocument } from './fields.ts';

/** Applies a projection to a document. */
export type Project = (document: Document) => Document;

/** Reads the projection in a field of the command; undefined if the field is absent. */
export function readProject(request: CommandRequest, field: string): Project | undefined {
  const specification = readDocument(request, field);
  const projection = specification && parseProjection(specification);
  return projection && ((document) => projectFields(projection, document));
}
