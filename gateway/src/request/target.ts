import type { ProblemDetails } from '@tollgate/contracts/platform/problem';

const PLAIN_PATH = /^(?:\/[A-Za-z0-9_-]+)+$/;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;
/** Slash, backslash, and dot, which another hop might decode into path structure. */
const ESCAPED_STRUCTURE = /%(?:2f|5c|2e)/i;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
/** The home page of the documentation, which is a folder of pages. */
export const DOCS_HOME_PATH = '/docs/';
/** A trailing slash makes a different path, and no other route has one. The router would read it as an empty id. */
const TRAILING_SLASH = new RegExp(`^(?!${DOCS_HOME_PATH}$).+/$`);
/** Each of these names nothing here, or means different things to different parsers. */
const UNROUTABLE = [/\/\//, /;/, DOT_SEGMENT, ESCAPED_STRUCTURE, TRAILING_SLASH];

/**
 * Returns the problem of a request target that must not be routed, or null. Characters that one parser reads as a
 * separator and another as text (`\`, `;`, `//`, encoded slashes and dots) are rejected up front, so that the gateway
 * and payments cannot disagree on a path.
 * An invalid target is `malformed-request`. A valid target that names nothing is `route-not-found`.
 */
export function findTargetProblem(target: string, maxLength: number): ProblemDetails | null {
  if (target.length <= maxLength && PLAIN_PATH.test(target)) return null;

  if (target.length > maxLength) {
    return malformed(`The path and query are longer than ${maxLength} characters.`);
  }
  if (!target.startsWith('/')) {
    return malformed('The request target must be a path that starts with a slash, or a URL.');
  }
  if (!VISIBLE_ASCII.test(target) || target.includes('#')) {
    return malformed('The path contains characters that must be percent-encoded.');
  }
  const path = pathOf(target);
  if (path.includes('\\')) return malformed('The path contains a backslash.');
  if (BAD_ESCAPE.test(path) || /%00/.test(path) || !isUtf8(path)) {
    return malformed('The path contains a percent-escape that is not valid UTF-8 text.');
  }
  if (UNROUTABLE.some((pattern) => pattern.test(path))) {
    return { code: 'route-not-found', detail: 'No route matches this path.' };
  }
  return null;
}

/** RFC 9112 §3.2.2: clients of a proxy send the whole URL. Its host, like the header Host, decides nothing here. */
const ORIGIN = /^https?:\/\/[^\s/?#\\@]+(?=[/?]|$)/i;

/** The target without scheme and host: `http://tollgate.example/v1/payments` → `/v1/payments`. */
export function originForm(target: string): string {
  const path = target.replace(ORIGIN, '');
  return path === target || path.startsWith('/') ? path : `/${path}`;
}

export function pathOf(target: string): string {
  const end = target.indexOf('?');
  return end === -1 ? target : target.slice(0, end);
}

export function queryOf(target: string): string {
  const start = target.indexOf('?');
  return start === -1 ? '' : target.slice(start + 1);
}

function isUtf8(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function malformed(detail: string): ProblemDetails {
  return { code: 'malformed-request', detail };
}
