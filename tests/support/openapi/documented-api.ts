import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { DocumentSchema } from './documented-values.ts';

interface Header {
  required?: boolean;
  schema: { type: string };
}

interface DocumentedResponse {
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, { schema: object; examples?: Record<string, unknown> }>;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: DocumentSchema;
}

/** An operation as a document describes it. */
export interface DocumentedOperation {
  method: string;
  /** The path, with `{name}` for parameters. */
  path: string;
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: DocumentSchema } } };
  responses: Record<string, DocumentedResponse>;
}

interface OpenapiDocument {
  paths: Record<string, Record<string, Omit<DocumentedOperation, 'method' | 'path'>>>;
  components: { headers: Record<string, Header>; schemas: Record<string, DocumentSchema> };
}

/** The parts of a request that a document describes, except for its path. */
export interface DocumentedRequest {
  query: Record<string, string>;
  /** Names as documented. */
  headers: Record<string, string>;
  body?: unknown;
}

export interface ReceivedResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** Null if it was not read completely. */
  body: string | null;
}

/** An API as its OpenAPI document describes it. */
export interface DocumentedApi {
  /** Differences between a response and the document. None for a path or method that is not an operation. */
  faultsOf(method: string, path: string, response: ReceivedResponse): string[];
  operations: DocumentedOperation[];
  /** Differences between a request and the document. */
  requestFaultsOf(operation: DocumentedOperation, request: DocumentedRequest): string[];
  /** The schema, or the component that it refers to. */
  resolve(schema: DocumentSchema): DocumentSchema;
}

/** Headers that are part of HTTP or the same in all responses. A document does not list them. */
const COMMON_HEADERS = new Set([
  ...['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length', 'content-type'],
  ...['cache-control', 'x-content-type-options', 'x-accel-buffering'],
  ...['referrer-policy', 'content-security-policy', 'cross-origin-resource-policy'],
]);

const JSON_TYPES = new Set(['application/json', 'application/problem+json']);

function documentedApi(document: OpenapiDocument): DocumentedApi {
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false, allErrors: true }));
  // Callers accept new values. The document must list those that exist.
  ajv.addKeyword({
    keyword: 'x-extensible-enum',
    validate: (values: unknown[], value: unknown) => value === null || values.includes(value),
  });
  ajv.addSchema(document, 'document');
  const validators = new Map<object, ValidateFunction>();
  const patterns = Object.keys(document.paths)
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
    .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

  function validatorOf(schema: object, pointer: string[]): ValidateFunction {
    const known = validators.get(schema);
    if (known) return known;
    const $ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const compiled = ajv.compile({ $ref });
    validators.set(schema, compiled);
    return compiled;
  }

  function headerFaults(documented: DocumentedResponse, { headers }: ReceivedResponse): string[] {
    const expected = new Map(
      Object.entries(documented.headers ?? {}).map(([name, header]) => [
        name.toLowerCase(),
        '$ref' in header ? (document.components.headers[nameIn(header.$ref)] as Header) : header,
      ]),
    );
    const missing = [...expected].filter(([name, { required }]) => required && headers[name] === undefined);
    const undocumented = Object.keys(headers).filter(
      (name) => !expected.has(name) && !COMMON_HEADERS.has(name),
    );
    const invalid = [...expected].filter(
      ([name, { schema }]) =>
        headers[name] !== undefined && !ajv.validate(schema, valueOfHeader(headers[name], schema)),
    );
    return [
      ...missing.map(([name]) => `the header ${name} is missing`),
      ...undocumented.map((name) => `the header ${name} is not documented`),
      ...invalid.map(([name]) => `the header ${name} is invalid: ${headers[name]}`),
    ];
  }

  function bodyFaults(
    documented: DocumentedResponse,
    response: ReceivedResponse,
    pointer: string[],
  ): string[] {
    const { body, headers } = response;
    if (body === null) return [];
    if (documented.content === undefined) return body === '' ? [] : ['the body is not documented'];
    const type = headers['content-type']?.split(';')[0] ?? '';
    const content = documented.content[type];
    if (!content) return [`the content type "${type}" is not documented`];
    if (!JSON_TYPES.has(type)) return [];
    const value = JSON.parse(body);
    const validate = validatorOf(content.schema, [...pointer, 'content', type, 'schema']);
    const faults = validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'the body' })];
    const isListed = content.examples === undefined || Object.hasOwn(content.examples, value.code);
    return isListed ? faults : [...faults, `the code ${value.code} is not documented`];
  }

  function parameterFaults(
    { method, path, parameters }: DocumentedOperation,
    { query, headers }: DocumentedRequest,
  ): string[] {
    const pointer = ['paths', path, method, 'parameters'];
    const sent = { path: {}, query, header: headers } as Record<Parameter['in'], Record<string, string>>;
    const unknown = Object.keys(query).filter(
      (name) => !parameters.some((parameter) => parameter.in === 'query' && parameter.name === name),
    );
    const invalid = parameters.flatMap(({ name, required, schema, in: place }, index) => {
      const text = sent[place][name];
      if (text === undefined) return required && place !== 'path' ? [`${name} is missing`] : [];
      const validate = validatorOf(schema, [...pointer, String(index), 'schema']);
      return validate(valueOfHeader(text, schema))
        ? []
        : [ajv.errorsText(validate.errors, { dataVar: name })];
    });
    return [...unknown.map((name) => `${name} is not documented`), ...invalid];
  }

  function requestBodyFaults({ method, path, requestBody }: DocumentedOperation, body: unknown): string[] {
    if (body === undefined) return requestBody?.required ? ['the body is missing'] : [];
    if (!requestBody) return ['the body is not documented'];
    const { schema } = requestBody.content['application/json'];
    const pointer = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    const validate = validatorOf(schema, pointer);
    return validate(body) ? [] : [ajv.errorsText(validate.errors, { dataVar: 'the body' })];
  }

  return {
    operations: Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path })),
    ),
    requestFaultsOf: (operation, request) => [
      ...parameterFaults(operation, request),
      ...requestBodyFaults(operation, request.body),
    ],
    resolve: (schema) =>
      schema.$ref === undefined
        ? schema
        : (document.components.schemas[nameIn(schema.$ref)] as DocumentSchema),
    faultsOf(method, path, response) {
      const template = patterns.find(({ pattern }) => pattern.test(path))?.path ?? '';
      const name = method === 'HEAD' ? 'get' : method.toLowerCase();
      const operation = document.paths[template]?.[name];
      if (!operation) return [];
      const pointer = ['paths', template, name, 'responses', String(response.status)];
      const documented = operation.responses[response.status];
      const faults = documented
        ? [
            ...headerFaults(documented, response),
            ...(method === 'HEAD' ? [] : bodyFaults(documented, response, pointer)),
          ]
        : [`the status ${response.status} is not documented: ${response.body}`];
      return faults.map((fault) => `${method} ${template} → ${response.status}: ${fault}`);
    },
  };
}

function parametersIn(path: string): number {
  return path.split('{').length;
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

/** A header or a parameter is text. A boolean or a number in it is written as in JSON. */
function valueOfHeader(text: string | undefined, { type }: { type?: string | string[] }): unknown {
  if (type === 'string' || text === undefined) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const DOCUMENT_PATHS = { '/v1/': '/openapi.json', '/admin/v1/': '/admin/openapi.json' };

/** The API that a URL belongs to, as its origin documents it; null for any other server. */
export async function documentedApiOf(url: URL, get: typeof fetch = fetch): Promise<DocumentedApi | null> {
  const [, documentPath] =
    Object.entries(DOCUMENT_PATHS).find(([prefix]) => url.pathname.startsWith(prefix)) ?? [];
  if (documentPath === undefined) return null;
  const response = await get(new URL(documentPath, url));
  if (response.ok) return documentedApi((await response.json()) as OpenapiDocument);
  await response.body?.cancel();
  return null;
}
