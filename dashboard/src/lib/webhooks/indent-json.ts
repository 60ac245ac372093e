const INDENT = '  ';

/**
 * JSON with line breaks and indentation, every value spelled as it was: large numbers, escapes and repeated keys would not survive being parsed
 * and written again. Null for what is no JSON object or array.
 */
export function indentJson(text: string): string | null {
  if (!isJsonStructure(text)) return null;
  let depth = 0;
  let last = '';
  let indented = '';
  // Strings as they are, punctuation, and everything else up to the next of these.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    if (last === ',' || opens(last) !== closes) indented += `\n${INDENT.repeat(depth)}`;
    if (opens(token)) depth += 1;
    indented += token === ':' ? ': ' : token;
    last = token;
  }
  return indented;
}

function opens(token: string): boolean {
  return token === '{' || token === '[';
}

function isJsonStructure(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
