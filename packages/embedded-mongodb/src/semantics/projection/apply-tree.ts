import type { Scope } from '../../aggregation/scope.ts';
import type { BsonValue, Document } from '../../bson/document.ts';
import type { ProjectionBranch, ProjectionNode } from './tree.ts';

/** The document with only the fields that the tree includes; arrays are gone through, also nested ones. */
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
  if (node.kind === 'include') return value;
  if (node.kind !== 'branch') return undefined;
  if (value instanceof Map) return includeFields(node, value);
  if (!Array.isArray(value)) return undefined;
  return value.map((element) => includedValue(node, element)).filter((element) => element !== undefined);
}

/** The document without the fields that the tree excludes. */
export function excludeFields(branch: ProjectionBranch, document: Document): Document {
  const result: Document = new Map();
  for (const [name, value] of document) {
    const child = branch.children.get(name);
    if (child === undefined) result.set(name, value);
    else if (child.kind === 'branch') result.set(name, excludedValue(child, value));
  }
  return result;
}

function excludedValue(branch: ProjectionBranch, value: BsonValue): BsonValue {
  if (value instanceof Map) return excludeFields(branch, value);
  return Array.isArray(value) ? value.map((element) => excludedValue(branch, element)) : value;
}

/** The document with the tree's computed fields set; a missing result leaves its field out. */
export function computeFields(branch: ProjectionBranch, document: Document, scope: Scope): Document {
  if (!branch.computes) return document;
  const result: Document = new Map(document);
  for (const [name, child] of branch.children) {
    if (child.kind === 'compute') {
      const value = child.evaluate(scope);
      if (value === undefined) result.delete(name);
      else result.set(name, value);
    } else if (child.kind === 'branch' && child.computes) {
      result.set(name, computedValue(child, result.get(name), scope));
    }
  }
  return result;
}

function computedValue(branch: ProjectionBranch, value: BsonValue | undefined, scope: Scope): BsonValue {
  if (Array.isArray(value)) return value.map((element) => computedValue(branch, element, scope));
  return computeFields(branch, value instanceof Map ? value : new Map(), scope);
}
