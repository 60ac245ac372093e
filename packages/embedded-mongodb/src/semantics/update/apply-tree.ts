import type { BsonValue, Document } from '../../bson/document.ts';
import { mongoError } from '../../bson/mongo-error.ts';
import { describeField } from '../describe.ts';
import { isArrayIndex } from '../path.ts';
import type { ArrayFilters } from './array-filters.ts';
import { type ApplyContext, type Outcome, REMOVED, UNCHANGED } from './modifier.ts';
import { compareNames, isArrayUpdate, mergeTrees, type UpdateBranch, type UpdateTree } from './tree.ts';

/** MongoDB's bound on how many nulls an update may fill an array with, to reach a place beyond its end. */
const MAX_ARRAY_PADDING = 1_500_000;

export interface TreeContext extends ApplyContext {
  arrayFilters: ArrayFilters;
}

/** The document after the update: a new one, sharing all that did not change; or UNCHANGED. */
export function applyTree(
  root: UpdateBranch,
  document: Document,
  context: TreeContext,
): Document | typeof UNCHANGED {
  return applyToDocument(root, document, '', context);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function applyToNode(
  tree: UpdateTree,
  current: BsonValue | undefined,
  path: string,
  context: TreeContext,
): Outcome {
  if (tree.kind === 'leaf') return tree.modifier.apply(current, path, context);
  if (current === undefined) return applyToMissing(tree, path, context);
  if (current instanceof Map) return applyToDocument(tree, current, path, context);
  if (Array.isArray(current)) return applyToArray(tree, current, path, context);
  refuseArrayUpdates(tree, current, path);
  for (const [name, child] of tree.children) refuseBlockedPath(child, current, path, name, context);
  return UNCHANGED;
}

function applyToDocument(
  branch: UpdateBranch,
  document: Document,
  path: string,
  context: TreeContext,
): Document | typeof UNCHANGED {
  let result = document;
  for (const [name, child] of withPositionResolved(branch, path, context)) {
    refuseArrayUpdates(branch, document, path);
    const outcome = applyToNode(child, document.get(name), join(path, name), context);
    if (outcome === UNCHANGED) continue;
    if (result === document) result = new Map(document);
    if (outcome === REMOVED) result.delete(name);
    else result.set(name, outcome);
  }
  return result === document ? UNCHANGED : result;
}

/** Makes the documents along a path that is not there yet, if anything gets set in them. */
function applyToMissing(branch: UpdateBranch, path: string, context: TreeContext): Outcome {
  for (const name of branch.children.keys()) {
    if (isArrayUpdate(name)) {
      throw mongoError(
        'BadValue',
        `The path '${path}' must exist in the document in order to apply array updates.`,
      );
    }
  }
  return applyToDocument(branch, new Map(), path, context);
}

function applyToArray(branch: UpdateBranch, array: BsonValue[], path: string, context: TreeContext): Outcome {
  const byPlace = new Map<number, UpdateTree>();
  for (const [name, child] of withPositionResolved(branch, path, context)) {
    for (const place of placesOf(name, child, array, path, context)) {
      const other = byPlace.get(place);
      byPlace.set(place, other === undefined ? child : mergeTrees(other, child, join(path, String(place))));
    }
  }
  let result = array;
  for (const place of [...byPlace.keys()].sort((a, b) => a - b)) {
    const tree = byPlace.get(place) as UpdateTree;
    const outcome = applyToNode(tree, array[place], join(path, String(place)), context);
    if (outcome === UNCHANGED) continue;
    if (result === array) result = [...array];
    padTo(result, place);
    // An element that is removed leaves null behind: the places after it stay the same.
    result[place] = outcome === REMOVED ? null : outcome;
  }
  return result === array ? UNCHANGED : result;
}

/** The places in the array that a child's name stands for. */
function placesOf(
  name: string,
  child: UpdateTree,
  array: BsonValue[],
  path: string,
  context: TreeContext,
): number[] {
  if (name === '$[]') return [...array.keys()];
  if (isArrayUpdate(name)) {
    const isSelected = context.arrayFilters.get(name.slice(2, -1));
    if (isSelected === undefined)
      throw new Error(`no array filter '${name}': parseUpdate must have refused it`);
    return [...array.keys()].filter((place) => isSelected(array[place] as BsonValue));
  }
  if (isArrayIndex(name)) return [Number(name)];
  refuseBlockedPath(child, array, path, name, context);
  return [];
}

function padTo(array: BsonValue[], place: number): void {
  if (place - array.length > MAX_ARRAY_PADDING) {
    throw mongoError('CannotBackfillArray', `can't backfill more than ${MAX_ARRAY_PADDING} elements`);
  }
  while (array.length < place) array.push(null);
}

/** The branch's children with the positional `$` replaced by the place that the filter matched. */
function withPositionResolved(
  branch: UpdateBranch,
  path: string,
  context: TreeContext,
): Iterable<[string, UpdateTree]> {
  const positional = branch.children.get('$');
  if (positional === undefined) return branch.children;
  if (context.position === undefined) {
    throw mongoError('BadValue', 'The positional operator did not find the match needed from the query.');
  }
  const place = String(context.position);
  const children = new Map(branch.children);
  children.delete('$');
  const other = children.get(place);
  children.set(place, other === undefined ? positional : mergeTrees(other, positional, join(path, place)));
  return [...children].sort(([a], [b]) => compareNames(a, b));
}

function refuseArrayUpdates(branch: UpdateBranch, value: BsonValue, path: string): void {
  for (const name of branch.children.keys()) {
    if (isArrayUpdate(name)) {
      const element = path.slice(path.lastIndexOf('.') + 1);
      throw mongoError(
        'BadValue',
        `Cannot apply array updates to non-array element ${describeField(element, value)}`,
      );
    }
  }
}

/** For a path that goes on where there is a value that has no fields (or, in an array, no such place). */
function refuseBlockedPath(
  child: UpdateTree,
  value: BsonValue,
  path: string,
  name: string,
  context: TreeContext,
): void {
  const element = describeField(path.slice(path.lastIndexOf('.') + 1), value);
  if (child.kind === 'branch') {
    for (const grandchild of child.children.values())
      refuseBlockedPath(grandchild, value, path, name, context);
    return;
  }
  const { operator, onBlockedPath } = child.modifier;
  if (onBlockedPath === 'ignore' || (operator === '$setOnInsert' && !context.isInsert)) return;
  const message =
    onBlockedPath === 'create'
      ? `Cannot create field '${name}' in element ${element}`
      : `Cannot use the part (${name}) of (${join(path, name)}) to traverse the element (${element})`;
  throw mongoError('PathNotViable', message);
}
