import type { BsonValue, Document } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { spendSteps } from '../../computation-limit.ts';
import { describeValue } from '../describe.ts';
import { isArrayIndex } from '../path.ts';
import { isBranch } from '../path-tree.ts';
import { type Outcome, REMOVED, UNCHANGED } from './modifier.ts';
import type { UpdateLeaf, UpdateTree } from './parse-modifiers.ts';

/** MongoDB's limit on the nulls with which an update may pad an array to reach an index beyond its end. */
const MAX_ARRAY_PADDING = 1_500_000;

interface Context {
  /** The path of the value that the update applies to, for messages. */
  path: string;
  isInsert: boolean;
}

/** Returns a new document that shares all unchanged values, or UNCHANGED. */
export function applyTree(
  tree: UpdateTree,
  document: Document,
  isInsert: boolean,
): Document | typeof UNCHANGED {
  return applyToDocument(tree, document, { path: '', isInsert });
}

function within({ path, isInsert }: Context, name: string): Context {
  return { path: path === '' ? name : `${path}.${name}`, isInsert };
}

function applyToNode(
  node: UpdateLeaf | UpdateTree,
  current: BsonValue | undefined,
  context: Context,
): Outcome {
  if (!isBranch(node)) {
    if (node.modifier.isForInsert && !context.isInsert) return UNCHANGED;
    return node.modify(current, context.path);
  }
  // Creates the missing documents along a path if a modifier sets a field in them.
  if (current === undefined) return applyToDocument(node, new Map(), context);
  if (current instanceof Map) return applyToDocument(node, current, context);
  if (Array.isArray(current)) return applyToArray(node, current, context);
  for (const [name, child] of node.children) rejectBlockedPath(child, current, within(context, name));
  return UNCHANGED;
}

function applyToDocument(
  tree: UpdateTree,
  document: Document,
  context: Context,
): Document | typeof UNCHANGED {
  spendSteps(tree.children.size);
  let result = document;
  for (const [name, child] of tree.children) {
    const outcome = applyToNode(child, document.get(name), within(context, name));
    if (outcome === UNCHANGED) continue;
    if (result === document) result = new Map(document);
    if (outcome === REMOVED) result.delete(name);
    else result.set(name, outcome);
  }
  return result === document ? UNCHANGED : result;
}

/** The tree is sorted, so the indexes are ascending. */
function applyToArray(tree: UpdateTree, array: BsonValue[], context: Context): Outcome {
  let result = array;
  for (const [name, child] of tree.children) {
    const at = within(context, name);
    if (!isArrayIndex(name)) {
      rejectBlockedPath(child, array, at);
      continue;
    }
    const index = Number(name);
    const outcome = applyToNode(child, array[index], at);
    if (outcome === UNCHANGED) continue;
    if (result === array) result = [...array];
    padTo(result, index);
    // The indexes of the other elements stay the same.
    result[index] = outcome === REMOVED ? null : outcome;
  }
  return result === array ? UNCHANGED : result;
}

function padTo(array: BsonValue[], length: number): void {
  if (length - array.length > MAX_ARRAY_PADDING) {
    throw mongoError('CannotBackfillArray', `can't backfill more than ${MAX_ARRAY_PADDING} elements`);
  }
  while (array.length < length) array.push(null);
}

/** Throws for a path that continues below a value without fields, or below an array by a name that is not an index. */
function rejectBlockedPath(node: UpdateLeaf | UpdateTree, value: BsonValue, context: Context): void {
  if (isBranch(node)) {
    for (const [name, child] of node.children) rejectBlockedPath(child, value, within(context, name));
    return;
  }
  const { ignoresBlockedPath, isForInsert } = node.modifier;
  if (ignoresBlockedPath || (isForInsert && !context.isInsert)) return;
  throw mongoError('PathNotViable', `Cannot create the field '${context.path}' in ${describeValue(value)}`);
}
