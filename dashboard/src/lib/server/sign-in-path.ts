/**
 * Where to go after signing in: `next` when it is a path of this site, else the front page. Anything else in its place
 * would make the sign-in page a trusted-looking stepping stone to someone else's (CWE-601).
 */
export function safeNextPath(next: string | null | undefined): string {
  // Browsers read a backslash as a slash, and drop tabs and line breaks: `/\evil.example` is another site.
  if (!next?.startsWith('/') || next.includes('\\') || hasBlank(next)) return '/';
  const url = URL.parse(next, SOME_ORIGIN);
  // Resolved, because `/.//evil.example` becomes `//evil.example`, which is another site in turn.
  if (url?.origin !== SOME_ORIGIN || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

const SOME_ORIGIN = 'http://same-site.invalid';

function hasBlank(path: string): boolean {
  return [...path].some((character) => character <= ' ');
}

/** The sign-in page that leads back to the page that was asked for. */
export function signInPath(asked: URL): string {
  const query = new URLSearchParams(asked.search);
  // `?/rename` names a form's action, which a page is not asked for.
  for (const name of [...query.keys()]) if (name.startsWith('/')) query.delete(name);
  const next = query.size > 0 ? `${asked.pathname}?${query}` : asked.pathname;
  return next === '/' ? '/sign-in' : `/sign-in?next=${encodeURIComponent(next)}`;
}
