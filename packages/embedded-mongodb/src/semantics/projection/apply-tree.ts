import type { Scope } from '../../aggregation/scope.ts';
import type { BsonValue, Document } from '../../bson/document.ts';
import { spendSteps } from '../../computation-limit.ts';
import { spendForValue } from '../value-memory.ts';
import { computes, isBranch, type ProjectionBranch, type ProjectionNode } from './tree.ts';

/** The document with only the fields that the tree includes. Applies to the elements of arrays, even nested ones. */
export function includeFields(branch: ProjectionBranch, document: Document): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    const included = child === undefined ? undefined : includedValue(child, value);
    if (included !== undefined) result.set(name, included);
  }
  return result;
}

function includedValue(node: ProjectionNode, value: BsonValue): BsonValue | undefined {
  if (!isBranch(node)) return node.kind === 'include' ? value : undefined;
  if (value instanceof Map) return includeFields(node, value);
  if (!Array.isArray(value)) return undefined;
  // Drops an element without fields, unless a computed field takes its place.
  const substitute = computes(node) ? new Map() : undefined;
  spendSteps(value.length);
  return value
    .map((element) => includedValue(node, element) ?? substitute)
    .filter((element) => element !== undefined);
}

/** The document without the fields that the tree excludes. */
export function excludeFields(branch: ProjectionBranch, document: Document): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    if (child === undefined) result.set(name, value);
    else if (isBranch(child)) result.set(name, excludedValue(child, value));
    else if (child.kind !== 'exclude') result.set(name, value);
  }
  return result;
}

function excludedValue(branch: ProjectionBranch, value: BsonValue): BsonValue {
  if (value instanceof Map) return excludeFields(branch, value);
  if (!Array.isArray(value)) return value;
  spendSteps(value.length);
  return value.map((element) => excludedValue(branch, element));
}

/** The document with the tree's computed fields. A missing result omits its field. */
export function computeFields(branch: ProjectionBranch, document: Document, scope: Scope): Document {
  const result: Document = new Map(document);
  for (const [name, child] of branch.children) {
    if (!computes(child)) continue;
    const value = computedValue(child, result.get(name), scope);
    if (value === undefined) result.delete(name);
    else result.set(name, spendForValue(value));
  }
  return result;
}

function computedValue(
  node: ProjectionNode,
  value: BsonValue | undefined,
  scope: Scope,
): BsonValue | undefined {
  if (!isBranch(node)) return node.kind === 'compute' ? node.evaluate(scope) : value;
  if (Array.isArray(value)) return value.map((element) => computedValue(node, element, scope) as BsonValue);
  return computeFields(node, value instanceof Map ? value : new Map(), scope);
}
