import type { BsonValue, Document } from '../../bson/document.ts';
import { anyValueAtPath, type MatchPosition } from '../path.ts';
import type { ElemMatch, FilterNode, PathNode } from './node.ts';

/**
 * Whether the document matches. With `position`, it is told the place in an array at which the match was
 * found, for the positional `$`; as in MongoDB the last condition that went through an array decides.
 */
export function matches(node: FilterNode, document: Document, position?: MatchPosition): boolean {
  switch (node.kind) {
    case 'path':
      return matchesPath(node, document, position);
    case 'and':
      for (const child of node.children) if (!matches(child, document, position)) return false;
      return true;
    case 'or':
      for (const child of node.children) if (matches(child, document, position)) return true;
      return false;
    case 'nor':
      for (const child of node.children) if (matches(child, document)) return false;
      return true;
    case 'not':
      return !matches(node.child, document);
    case 'never':
      return false;
    case 'document':
      return node.test(document);
  }
}

function matchesPath(node: PathNode, document: Document, position: MatchPosition | undefined): boolean {
  const { predicate } = node;
  if (
    position === undefined ||
    (predicate.kind !== 'elemMatchDocument' && predicate.kind !== 'elemMatchValue')
  ) {
    return anyValueAtPath(document, node.parts, node, position);
  }
  let found: number | undefined;
  const outer: MatchPosition = { index: undefined };
  const target = {
    expandsLeafArray: false,
    test: (value: BsonValue | undefined) => {
      found = firstMatchingElement(predicate, value);
      return found !== undefined;
    },
  };
  if (!anyValueAtPath(document, node.parts, target, outer)) return false;
  position.index = outer.index ?? found;
  return true;
}

/** The place of the first element that an $elemMatch matches; undefined when there is none. */
export function firstMatchingElement(predicate: ElemMatch, value: BsonValue | undefined): number | undefined {
  if (!Array.isArray(value)) return undefined;
  const index = value.findIndex((element) => {
    if (predicate.kind === 'elemMatchValue') return matchesElement(predicate.element, element);
    if (element instanceof Map) return matches(predicate.element, element);
    // MongoDB sees an array within the array as a document with the fields 0, 1, 2, ….
    return (
      Array.isArray(element) &&
      matches(predicate.element, new Map(element.map((inner, at) => [String(at), inner])))
    );
  });
  return index < 0 ? undefined : index;
}

/** Whether a single value meets conditions that have no path: those of `{$elemMatch: {$gt: 1}}` and of $pull. */
export function matchesElement(node: FilterNode, value: BsonValue): boolean {
  switch (node.kind) {
    case 'path':
      return node.test(value);
    case 'and':
      return node.children.every((child) => matchesElement(child, value));
    case 'or':
      return node.children.some((child) => matchesElement(child, value));
    case 'nor':
      return !node.children.some((child) => matchesElement(child, value));
    case 'not':
      return !matchesElement(node.child, value);
    case 'never':
      return false;
    case 'document':
      return value instanceof Map && node.test(value);
  }
}
