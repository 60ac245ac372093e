import { Validator } from '@seriousme/openapi-schema-validator';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { FILLED_BY_GATEWAY } from '@tollgate/contracts/admin-api/route';
import {
  ADMIN_ROUTES,
  PAYMENTS_CSV_PATH,
  STREAM_PATH,
  USAGE_CSV_PATH,
} from '@tollgate/contracts/admin-api/routes';
import { afterAll, expect, test } from 'vitest';
import { buildUnconnectedAdminApp } from './support/unconnected-apps.ts';

interface Operation {
  operationId: string;
  description: string;
  security?: unknown[];
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { schema: { $ref: string } }> };
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, unknown> }>;
}

const app = buildUnconnectedAdminApp();
afterAll(() => app.close());
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const;

const response = await app.inject({ url: '/admin/openapi.json', headers: { host: 'a' } });
const document = response.json() as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties: object }> };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const operation = (id: string) => operations.find(({ operationId }) => operationId === id) as Operation;

/** Every body is a component of its own. */
function bodySchema(requestBody: Operation['requestBody']): { properties: object } | undefined {
  const reference = requestBody?.content['application/json']?.schema.$ref;
  return reference === undefined
    ? undefined
    : document.components.schemas[reference.slice('#/components/schemas/'.length)];
}

test('the OpenAPI document of the admin API is served without a session, and is valid OpenAPI 3.1', async () => {
  expect(response.statusCode).toBe(200);
  const validator = new Validator();
  expect(await validator.validate(response.json())).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the OpenAPI document of the admin API lists exactly the registered routes', () => {
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const served = Object.keys(document.paths).flatMap((path) =>
    METHODS.filter((method) => app.hasRoute({ method, url: path.replaceAll(/\{([a-z_]+)\}/g, ':$1') })).map(
      (method) => `${method} ${path}`,
    ),
  );
  expect(described.toSorted()).toEqual(served.toSorted());
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      PAYMENTS_CSV_PATH,
      USAGE_CSV_PATH,
      AUDIT_EXPORT_PATH,
      STREAM_PATH,
      ...Object.values(ADMIN_ROUTES).map(({ path }) => path.replaceAll(/:([a-z_]+)/g, '{$1}')),
    ]),
  );
  expect(described).toHaveLength(Object.keys(ADMIN_ROUTES).length + 4);
});

test('the OpenAPI document of the admin API does not ask callers for fields that the gateway fills in', () => {
  for (const { operationId, parameters, requestBody } of operations) {
    const asked = [
      ...parameters.map(({ name }) => name),
      ...Object.keys(bodySchema(requestBody)?.properties ?? {}),
    ];
    for (const name of FILLED_BY_GATEWAY) expect(asked, operationId).not.toContain(name);
  }
});

test('the OpenAPI document of the admin API describes the required role and the errors of every operation', () => {
  for (const { operationId, description, security, responses } of operations) {
    expect(description, operationId).toMatch(/^Requires /);
    const isPublic = security?.length === 0;
    expect(responses['401'] !== undefined || isPublic, operationId).toBe(true);
    expect(responses, operationId).toHaveProperty(['503', 'headers', 'Retry-After']);
  }
  expect(operation('createKey').description).toBe(
    'Requires the role `developer` or higher, and `admin` where it affects live.',
  );
  expect(operation('signIn').security).toEqual([]);
});

test('the OpenAPI document of the admin API describes ETag, If-Match, and Location where they apply', () => {
  const rename = operation('renameApplication');
  expect(rename.parameters).toContainEqual(expect.objectContaining({ name: 'If-Match', required: true }));
  expect(rename.responses).toHaveProperty('428');
  expect(rename.responses['200']?.headers).toHaveProperty('ETag');
  expect(operation('getKey').responses).toHaveProperty('304');
  expect(operation('createKey').responses['201']?.headers).toMatchObject({ ETag: {}, Location: {} });
  expect(operation('revokeSession').responses['204']?.content).toBeUndefined();
  expect(operation('getMe').responses['200']?.headers).not.toHaveProperty('ETag');
});

test('the OpenAPI document of the admin API contains everything it refers to', () => {
  for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = path
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], document);
    expect(found, path).toBeDefined();
  }
});
