import type { FilterNode } from './node.ts';

/**
 * The names of the top-level fields whose values decide whether a document matches the filter. Undefined if any field
 * may.
 */
export function fieldsOf(node: FilterNode): ReadonlySet<string> | undefined {
  switch (node.kind) {
    case 'path':
      return new Set(node.parts.slice(0, 1));
    case 'and':
    case 'or':
      return fieldsOfAll(node.children);
    case 'not':
      return fieldsOf(node.child);
    case 'never':
      return new Set();
    case 'document':
      return undefined;
  }
}

function fieldsOfAll(nodes: readonly FilterNode[]): ReadonlySet<string> | undefined {
  const all = new Set<string>();
  for (const node of nodes) {
    const fields = fieldsOf(node);
    if (fields === undefined) return undefined;
    for (const field of fields) all.add(field);
  }
  return all;
}
