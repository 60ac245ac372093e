/** The parts of an OpenAPI 3.1 document that are compared. */
export interface OpenapiDocument {
  info?: Record<string, unknown>;
  paths?: Record<string, PathItem>;
  webhooks?: Record<string, PathItem>;
  components?: Record<string, Record<string, unknown>>;
  security?: SecurityRequirement[];
}

export type PathItem = Record<string, unknown>;
export type SecurityRequirement = Record<string, string[]>;

export interface Operation {
  operationId?: string;
  deprecated?: boolean;
  security?: SecurityRequirement[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: Record<string, unknown>;
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  schema?: JsonSchema;
}

export interface Body {
  required?: boolean;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, unknown>;
}

export type JsonSchema = Record<string, unknown>;

/** Follows a reference inside the document, such as `#/components/schemas/Payment`. */
export function resolveReference<T>(value: unknown, document: OpenapiDocument): T {
  const reference = (value as { $ref?: string } | undefined)?.$ref;
  if (reference === undefined) return value as T;
  const [root, ...keys] = reference.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (root !== '#') throw new Error(`${reference} is not a reference inside the document`);
  const target = keys.reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
  if (target === undefined) throw new Error(`${reference} does not exist`);
  return resolveReference(target, document);
}
