import { readFileSync } from 'node:fs';
import { createAdminOpenapi } from '@tollgate/gateway/admin-api/openapi';
import { createOpenapi } from '@tollgate/gateway/docs/openapi';
import type { OpenapiDocument } from './openapi-document.ts';

/** The addresses of a gateway with default settings. */
const DOCS_BASE_URL = 'http://localhost:8080/docs';
const BASE_URLS = { live: 'http://localhost:8080', sandbox: 'http://localhost:8081' };
const ADMIN_API_URL = 'http://localhost:8082';

/** An API and the file with its document as of the last release. */
export interface Api {
  /** Heading of the API in the changelog. */
  title: string;
  /** Relative to the root of the repository. */
  snapshot: string;
  createDocument: () => object;
}

export const APIS: readonly Api[] = [
  {
    title: 'Public API',
    snapshot: 'docs/api/openapi.json',
    createDocument: () => createOpenapi({ docsBaseUrl: DOCS_BASE_URL, baseUrls: BASE_URLS }),
  },
  {
    title: 'Admin API',
    snapshot: 'docs/api/admin-openapi.json',
    createDocument: () => createAdminOpenapi({ docsBaseUrl: DOCS_BASE_URL, adminApiUrl: ADMIN_API_URL }),
  },
];

/** As a client reads it. */
export function currentDocument({ createDocument }: Api): OpenapiDocument {
  return JSON.parse(JSON.stringify(createDocument())) as OpenapiDocument;
}

export function releasedDocument(root: string, { snapshot }: Api): OpenapiDocument {
  return JSON.parse(readFileSync(`${root}/${snapshot}`, 'utf8')) as OpenapiDocument;
}

/** The file that a release stores. */
export function snapshotText(api: Api, version: string): string {
  const document = currentDocument(api);
  return `${JSON.stringify({ ...document, info: { ...document.info, version } }, null, 2)}\n`;
}
