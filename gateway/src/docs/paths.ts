/** Paths that need no key. */
export const OPENAPI_PATH = '/openapi.json';
export const REFERENCE_PATH = '/docs';
export const ERRORS_PATH = '/docs/errors';
export const ERROR_PATH = '/docs/errors/:code';

export const DOCS_PATHS: readonly string[] = [OPENAPI_PATH, REFERENCE_PATH, ERRORS_PATH, ERROR_PATH];
