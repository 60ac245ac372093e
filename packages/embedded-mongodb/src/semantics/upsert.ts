import { ObjectId } from 'bson';
import type { BsonValue, Document } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { compareStrings, equalValues } from './compare.ts';
import type { FilterNode } from './filter/node.ts';
import { splitPath } from './path.ts';
import { type Branch, insertLeaf, isBranch } from './path-tree.ts';
import { validateForStorage } from './storage-validation.ts';
import { type ApplyUpdateOptions, applyUpdate, type ParsedUpdate } from './update.ts';

/**
 * Returns the document that an upsert inserts if nothing matches: the fields for which the filter requires a value, with
 * the update applied. Its first field is always `_id`, a new ObjectId if neither specifies one.
 */
export function documentForUpsert(
  filter: FilterNode,
  update: ParsedUpdate,
  options: Omit<ApplyUpdateOptions, 'isInsert'>,
): Document {
  const equalities = equalitiesOf(filter);
  const start = documentOfEqualities(update.kind === 'replacement' ? idOf(equalities) : equalities);
  const { document } = applyUpdate(update, start, { ...options, isInsert: true });
  // Not `??`: null is an _id too.
  const id = document.has('_id') ? (document.get('_id') as BsonValue) : new ObjectId();
  const complete: Document = new Map([['_id', id], ...document]);
  validateForStorage(complete);
  return complete;
}

interface Equality {
  path: string;
  value: BsonValue;
}

function equalitiesOf(node: FilterNode): Equality[] {
  if (node.kind === 'and' || (node.kind === 'or' && node.children.length === 1))
    return node.children.flatMap(equalitiesOf);
  if (node.kind !== 'path') return [];
  const { predicate, path } = node;
  if (predicate.kind === 'compare' && predicate.operator === 'eq') return [{ path, value: predicate.value }];
  if (predicate.kind !== 'in') return [];
  const [value, ...others] = predicate.values;
  return value !== undefined && others.every((other) => equalValues(value, other)) ? [{ path, value }] : [];
}

/** A replacement takes only the `_id` from the filter. */
function idOf(equalities: readonly Equality[]): Equality[] {
  const within = equalities.find(({ path }) => path.startsWith('_id.'));
  if (within !== undefined)
    throw mongoError('NotExactValueField', `'_id' must be specified exactly, not as '${within.path}'`);
  return equalities.filter(({ path }) => path === '_id');
}

function documentOfEqualities(equalities: readonly Equality[]): Document {
  const root: Branch<Equality> = { children: new Map() };
  for (const equality of equalities.toSorted((a, b) => compareStrings(a.path, b.path))) {
    const { path } = equality;
    insertLeaf(root, splitPath(path), equality, () =>
      mongoError('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`),
    );
  }
  return documentOfTree(root);
}

function documentOfTree({ children }: Branch<Equality>): Document {
  return new Map(
    [...children].map(([name, node]) => [name, isBranch(node) ? documentOfTree(node) : node.value]),
  );
}
