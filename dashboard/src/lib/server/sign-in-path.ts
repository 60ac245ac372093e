import { pagePath } from '#lib/session/page-path.ts';

/**
 * Returns the destination after sign-in: `next` when it is a path of this site, else the home page. Any other target
 * would turn the sign-in page into an open redirect (CWE-601).
 */
export function safeNextPath(next: string | null | undefined): string {
  // Browsers treat a backslash as a slash, and drop tabs and line breaks: `/\evil.example` is another site.
  if (!next?.startsWith('/') || next.includes('\\') || hasBlank(next)) return '/';
  const url = URL.parse(next, SOME_ORIGIN);
  // Resolved first, because `/.//evil.example` becomes `//evil.example`, which is also another site.
  if (url?.origin !== SOME_ORIGIN || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}`;
}

const SOME_ORIGIN = 'http://same-site.invalid';

function hasBlank(path: string): boolean {
  return [...path].some((character) => character <= ' ');
}

/** The address of the sign-in page, or of another page that comes first, which then returns to the requested page. */
export function signInPath(asked: URL, path = '/sign-in'): string {
  const next = pagePath(asked);
  return next === '/' ? path : `${path}?next=${encodeURIComponent(next)}`;
}
