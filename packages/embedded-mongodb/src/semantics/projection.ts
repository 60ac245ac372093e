import type { VariableNames } from '../aggregation/expression.ts';
import type { Scope } from '../aggregation/scope.ts';
import { type BsonValue, type Document, isDocument } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Collation } from './collation.ts';
import { computeFields, excludeFields, includeFields } from './projection/apply-tree.ts';
import { keepMatchedElement } from './projection/array-projections.ts';
import { type Projection, parseProjectionTree } from './projection/parse.ts';

export type { Projection } from './projection/parse.ts';

/** Parses find's projection; undefined for an empty one, which keeps all. */
export function parseProjection(
  spec: BsonValue,
  variables?: VariableNames,
  collation?: Collation,
): Projection | undefined {
  if (!isDocument(spec)) throw mongoError('TypeMismatch', 'the projection must be an object');
  if (spec.size === 0) return undefined;
  const options = { isFind: true, collation };
  return parseProjectionTree(spec, variables === undefined ? options : { ...options, variables });
}

/** Parses the specification of the `$project` stage. */
export function parseProjectStage(spec: BsonValue, variables?: VariableNames): Projection {
  if (!isDocument(spec)) throw mongoError(15969, '$project specification must be an object');
  if (spec.size === 0)
    throw mongoError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  return parseProjectionTree(
    spec,
    variables === undefined ? { isFind: false } : { isFind: false, variables },
  );
}

/** Whether the projection has a positional `$`, so that the filter's match position must be given. */
export function needsPosition(projection: Projection): boolean {
  return projection.positional !== undefined;
}

/** The document as the projection wants it; the given one stays as it is. `position` is where the filter matched. */
export function applyProjection(projection: Projection, scope: Scope, position?: number): Document {
  const { mode, root, arrayProjections, positional } = projection;
  let document = scope.root;
  if (positional !== undefined) document = keepMatchedElement(document, positional, position);
  document = mode === 'inclusion' ? includeFields(root, document) : excludeFields(root, document);
  for (const change of arrayProjections) document = change(document);
  return computeFields(root, document, scope);
}
