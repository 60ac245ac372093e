import type { FilterNode } from './node.ts';

/** The names of the top-level fields whose values decide whether a document matches the filter. */
export function fieldsOf(node: FilterNode): ReadonlySet<string> {
  switch (node.kind) {
    case 'path':
      return new Set(node.parts.slice(0, 1));
    case 'and':
    case 'or':
      return new Set(node.children.flatMap((child) => [...fieldsOf(child)]));
    case 'not':
      return fieldsOf(node.child);
  }
}
