/** What differs between a transcript in the documentation and the terminal of a reader. */
const VARIABLE: readonly [RegExp, string][] = [
  [/https?:\/\/(localhost|127\.0\.0\.1):\d+/g, 'http://…'],
  [/\b(pay|evt|req|key|app|whe)_(\w+|…)/g, '$1_…'],
  [/\b(tg_sandbox|whsec)_([\w+/=]+|…)/g, '$1_…'],
  [/\b[A-Z]{4}-[A-Z]{4}\b/g, 'user code'],
  [/\b\d\d:\d\d:\d\d(\.\d{3})?/g, 'time'],
  [/\b\d+ ms/g, 'duration'],
  [/Signed in to .+?\. The token is stored in \S+/g, 'Signed in.'],
];

/** A transcript or the output of a terminal without ids, addresses, and times, so that both can be compared. */
export function comparable(output: string): string {
  return VARIABLE.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), output);
}
