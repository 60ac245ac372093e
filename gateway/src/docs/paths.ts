import { DOCS_HOME_PATH } from '../request/target.ts';

/** Paths that need no key. */
export const OPENAPI_PATH = '/openapi.json';
/** Where tools look for them (llmstxt.org). */
export const LLMS_PATHS = ['/llms.txt', '/llms-full.txt'];
export const DOCS_PAGES_PATH = '/docs/*';
/** Both lead to the home page of the documentation. */
export const REDIRECTED_PATHS = ['/', '/docs'];
/** The admin API does not serve the documentation itself. */
export const ADMIN_REDIRECTED_PATHS = [...REDIRECTED_PATHS, DOCS_HOME_PATH];

export const DOCS_PATHS: readonly string[] = [
  OPENAPI_PATH,
  ...LLMS_PATHS,
  DOCS_PAGES_PATH,
  ...REDIRECTED_PATHS,
];
