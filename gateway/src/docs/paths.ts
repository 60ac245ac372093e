/** What is served without a key. */
export const OPENAPI_PATH = '/openapi.json';
export const REFERENCE_PATH = '/docs';
export const ERRORS_PATH = '/docs/errors';
export const ERROR_PATH = '/docs/errors/:code';

export const DOCS_PATHS: readonly RegExp[] = [OPENAPI_PATH, REFERENCE_PATH, ERRORS_PATH, ERROR_PATH].map(
  (path) => new RegExp(`^${path.replace('.', '\\.').replace(':code', '[^/]+')}$`),
);
