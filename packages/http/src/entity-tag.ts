/** The entity tag of a resource is its version. It is strong because each version has exactly one representation. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

/** `etagc` of RFC 9110 §8.8.3. */
const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/y;
const SEPARATOR = /[ \t]*(?:,[ \t]*)+/y;

/**
 * Whether `If-None-Match` matches the tag, with weak comparison, lists, and `*` (RFC 9110 §13.1.2). A malformed header matches
 * nothing, so that the caller gets the whole representation.
 */
export function ifNoneMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const list = header.trim();
  if (list === '*') return true;
  const tags = parseEntityTags(list);
  return tags?.some((named) => named === tag || named === `W/${tag}`) ?? false;
}

/**
 * Whether `If-Match` matches the tag, with strong comparison, lists, and `*` (RFC 9110 §13.1.1). A malformed header matches nothing, so
 * that nothing changes. True without the header.
 */
export function ifMatchNames(header: string | undefined, tag: string): boolean {
  if (header === undefined || header.trim() === '*') return true;
  return parseEntityTags(header.trim())?.includes(tag) ?? false;
}

/** The tags of a list, or null if the list is malformed. Empty list elements are allowed (§5.6.1.2). */
function parseEntityTags(list: string): string[] | null {
  const tags: string[] = [];
  let position = matchAt(SEPARATOR, list, 0)?.end ?? 0;
  while (position < list.length) {
    const tag = matchAt(ENTITY_TAG, list, position);
    if (!tag) return null;
    tags.push(tag.text);
    if (tag.end === list.length) break;
    const separator = matchAt(SEPARATOR, list, tag.end);
    if (!separator) return null;
    position = separator.end;
  }
  return tags;
}

function matchAt(pattern: RegExp, text: string, position: number) {
  pattern.lastIndex = position;
  const match = pattern.exec(text);
  return match && { text: match[0], end: pattern.lastIndex };
}
