import { createAdminOpenapi } from '@tollgate/gateway/admin-api/openapi';
import { createOpenapi } from '@tollgate/gateway/docs/openapi';

/**
 * The addresses of a gateway with default settings. A gateway that serves the site replaces them with its own.
 */
export const DOCS_BASE_URL = 'http://localhost:8080/docs';
export const BASE_URLS = { live: 'http://localhost:8080', sandbox: 'http://localhost:8081' };
const ADMIN_API_URL = 'http://localhost:8082';

/** A JSON Schema (2020-12) without references. */
export interface Schema {
  /** Several where the value can be null. */
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  format?: string;
  pattern?: string;
  minimum?: number;
  description?: string;
  required?: string[];
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

/** Content of a request or a response, by media type. */
type Content = Record<string, { schema: Schema; example?: unknown; examples?: Record<string, unknown> }>;

interface Response {
  description: string;
  content?: Content;
}

export interface OpenapiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: [string];
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { description?: string; required: boolean; content: Content };
  responses: Record<string, Response>;
}

export interface OpenapiDocument {
  info: { description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OpenapiOperation>>;
  webhooks?: Record<string, { post: OpenapiOperation }>;
}

export function publicApi(): OpenapiDocument {
  return dereferenced(createOpenapi({ docsBaseUrl: DOCS_BASE_URL, baseUrls: BASE_URLS }));
}

export function adminApi(): OpenapiDocument {
  return dereferenced(createAdminOpenapi({ docsBaseUrl: DOCS_BASE_URL, adminApiUrl: ADMIN_API_URL }));
}

/** Replaces each reference with what it refers to. No schema contains itself. */
function dereferenced(document: object): OpenapiDocument {
  const root = JSON.parse(JSON.stringify(document)) as OpenapiDocument;
  const resolve = (pointer: string) =>
    pointer
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], root);
  function replace(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(replace);
    if (node === null || typeof node !== 'object') return node;
    if ('$ref' in node) return replace(resolve(String(node.$ref)));
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, replace(value)]));
  }
  return replace(root) as OpenapiDocument;
}
