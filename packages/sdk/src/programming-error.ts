/** What engines say about a bug. A fetch without a connection rejects with a TypeError as well, and says something else. */
const BUG =
  /\bis not (a function|a constructor|an object|iterable)\b|\b(undefined|null|must be)\b|Illegal invocation/;

/** Whether `fetch` failed in its code, and not in its connection: a repetition would fail in the same way. */
export function isProgrammingError(error: unknown): boolean {
  const { name, message, digest } = Object(error) as { name?: string; message?: string; digest?: unknown };
  // Next.js ends the static rendering of a page by an error with a digest, which the page must pass on.
  if (digest !== undefined || /^(Reference|Range|Syntax)Error$/.test(name ?? '')) return true;
  return name === 'TypeError' && BUG.test(message ?? '');
}
