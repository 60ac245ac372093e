const INDENT = '  ';

/**
 * Adds line breaks and indentation to JSON and keeps the spelling of every value: parsing and serializing would change
 * large numbers, escapes and repeated keys. Null when the text is not a JSON object or array.
 */
export function indentJson(text: string): string | null {
  if (!isJsonStructure(text)) return null;
  let depth = 0;
  let last = '';
  let indented = '';
  // Matches strings, punctuation, and runs of anything else.
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
