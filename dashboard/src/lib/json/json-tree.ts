/** A value of a JSON text. A scalar keeps its spelling: parsing would change large numbers and escapes. */
export type JsonNode =
  | { kind: 'string' | 'number' | 'literal'; text: string }
  | { kind: 'object' | 'array'; entries: JsonEntry[] };

export interface JsonEntry {
  /** The name with its quotes; null in an array. */
  key: string | null;
  value: JsonNode;
}

/** Deeper texts are not shown as a tree. */
const MAX_DEPTH = 24;

/** The tree of a JSON object or array, with repeated keys; null for any other text, and for one that is too deep. */
export function jsonTree(text: string): JsonNode | null {
  if (!isJsonStructure(text)) return null;
  // Matches strings, punctuation, and runs of anything else. The text is valid, so colons and commas carry no meaning.
  const tokens = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s"[\]{}:,]+/g)].map(([token]) => token);
  return deepest(tokens) > MAX_DEPTH ? null : readNode(tokens.values());
}

function readNode(tokens: Iterator<string>, first = next(tokens)): JsonNode {
  if (first === '{') return { kind: 'object', entries: readEntries(tokens, true) };
  if (first === '[') return { kind: 'array', entries: readEntries(tokens, false) };
  if (first.startsWith('"')) return { kind: 'string', text: first };
  return { kind: /^[a-z]/.test(first) ? 'literal' : 'number', text: first };
}

/** Reads up to the closing bracket. */
function readEntries(tokens: Iterator<string>, haveKeys: boolean): JsonEntry[] {
  const entries: JsonEntry[] = [];
  for (let token = next(tokens); token !== '}' && token !== ']'; token = next(tokens)) {
    const value = haveKeys ? readNode(tokens) : readNode(tokens, token);
    entries.push({ key: haveKeys ? token : null, value });
  }
  return entries;
}

function next(tokens: Iterator<string>): string {
  return tokens.next().value ?? '';
}

function deepest(tokens: string[]): number {
  let depth = 0;
  let greatest = 0;
  for (const token of tokens) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    greatest = Math.max(greatest, depth);
  }
  return greatest;
}

function isJsonStructure(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
