import type { Scope } from '../aggregation/scope.ts';
import { type BsonValue, type Document, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { computeFields, excludeFields, includeFields } from './projection/apply-tree.ts';
import { type Projection, parseProjectionTree } from './projection/parse.ts';
import { computes } from './projection/tree.ts';

export type { Projection } from './projection/parse.ts';

/** Parses the projection of find; undefined for an empty one, which keeps all fields. */
export function parseProjection(spec: BsonValue): Projection | undefined {
  if (!isDocument(spec)) throw mongoError('TypeMismatch', 'the projection must be an object');
  return spec.size === 0 ? undefined : parseProjectionTree(spec, true);
}

/** Parses the specification of the `$project` stage. */
export function parseProjectStage(spec: BsonValue): Projection {
  if (!isDocument(spec)) throw mongoError(15969, '$project specification must be an object');
  if (spec.size === 0) throw mongoError(51272, '$project specification must have at least one field');
  return parseProjectionTree(spec, false);
}

/** Returns a projected copy of the scope's document. */
export function applyProjection({ mode, root, slices }: Projection, scope: Scope): Document {
  let document = mode === 'inclusion' ? includeFields(root, scope.root) : excludeFields(root, scope.root);
  if (computes(root)) document = computeFields(root, document, scope);
  return slices.reduce((projected, slice) => slice(projected), document);
}
