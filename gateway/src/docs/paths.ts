/** Paths that need no key. */
export const OPENAPI_PATH = '/openapi.json';
/** Where tools look for it (llmstxt.org). */
export const LLMS_PATH = '/llms.txt';
export const DOCS_PAGES_PATH = '/docs/*';
/** Both lead to the home page of the documentation. */
export const REDIRECTED_PATHS = ['/', '/docs'];

export const DOCS_PATHS: readonly string[] = [OPENAPI_PATH, LLMS_PATH, DOCS_PAGES_PATH, ...REDIRECTED_PATHS];
