import type { BsonValue, Document } from '../../bson/document.ts';
import { spendSteps } from '../../computation-limit.ts';
import { anyValueAtPath } from '../path.ts';
import type { FilterNode } from './node.ts';

/** Whether the document matches the filter. The conditions of an `$elemMatch` without paths apply to any value. */
export function matches(node: FilterNode, value: BsonValue): boolean {
  spendSteps(1);
  switch (node.kind) {
    case 'path':
      return node.parts.length === 0 ? node.test(value) : anyValueAtPath(value as Document, node.parts, node);
    case 'and':
      for (const child of node.children) if (!matches(child, value)) return false;
      return true;
    case 'or':
      for (const child of node.children) if (matches(child, value)) return true;
      return false;
    case 'not':
      return !matches(node.child, value);
  }
}
