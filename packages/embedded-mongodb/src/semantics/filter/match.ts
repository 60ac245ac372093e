import type { Document } from '../../bson/document.ts';
import { spendSteps } from '../../computation-limit.ts';
import { anyValueAtPath } from '../path.ts';
import type { FilterNode } from './node.ts';

/** Whether the document matches the filter. */
export function matches(node: FilterNode, document: Document): boolean {
  spendSteps(1);
  switch (node.kind) {
    case 'path':
      return anyValueAtPath(document, node.parts, node);
    case 'and':
      for (const child of node.children) if (!matches(child, document)) return false;
      return true;
    case 'or':
      for (const child of node.children) if (matches(child, document)) return true;
      return false;
    case 'not':
      return !matches(node.child, document);
  }
}
