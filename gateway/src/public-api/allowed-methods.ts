import { DOCS_PATHS } from '../docs/paths.ts';
import { methodsOf, OPERATIONS } from './operations.ts';

const KNOWN_PATHS: readonly { pattern: RegExp; allow: string }[] = [
  ...OPERATIONS.map((operation) => ({
    pattern: new RegExp(`^${operation.path.replace(':payment_id', '[^/]+')}$`),
    allow: methodsOf(operation).join(', '),
  })),
  ...DOCS_PATHS.map((pattern) => ({ pattern, allow: 'GET, HEAD' })),
];

/** Value of the `Allow` header (RFC 9110 §10.2.1) for a path that exists, or null. */
export function allowedMethods(path: string): string | null {
  return KNOWN_PATHS.find(({ pattern }) => pattern.test(path))?.allow ?? null;
}
