import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { deprecation, deprecationHeaders } from '@tollgate/contracts/platform/deprecation';
import type { FastifyInstance } from 'fastify';
import { afterAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../src/operations/operations.ts';
import { buildUnconnectedAdminApp, buildUnconnectedPublicApp } from './support/unconnected-apps.ts';

const DEPRECATED = deprecation({
  since: '2027-03-01',
  sunset: '2028-06-30',
  link: 'https://api.example.com/docs#migration',
});
const HEADERS = deprecationHeaders(DEPRECATED);

const apps = {
  public: buildUnconnectedPublicApp({
    operations: OPERATIONS.map((operation) =>
      operation.name === 'read_payment' ? { ...operation, deprecation: DEPRECATED } : operation,
    ),
  }),
  admin: buildUnconnectedAdminApp({
    routes: { ...ADMIN_ROUTES, getMe: { ...ADMIN_ROUTES.getMe, deprecation: DEPRECATED } },
  }),
};
afterAll(() => Promise.all(Object.values(apps).map((app) => app.close())));

async function send(app: FastifyInstance, target: string, headers: Record<string, string> = {}) {
  const [method, url] = target.split(' ') as ['GET', string];
  const response = await app.inject({ method, url, headers: { host: 'a', ...headers } });
  return { status: response.statusCode, headers: response.headers };
}

interface Described {
  deprecated?: boolean;
  description: string;
  responses: Record<string, { headers?: Record<string, unknown> }>;
}

async function describedIn(
  app: FastifyInstance,
  url: string,
): Promise<Record<string, Record<string, Described>>> {
  const { paths } = (await app.inject({ url, headers: { host: 'a' } })).json();
  return paths;
}

describe.each([
  {
    api: 'public' as const,
    path: '/v1/payments/pay_1',
    current: 'POST /v1/payments',
    openapi: '/openapi.json',
    template: '/v1/payments/{payment_id}',
    status: 503,
  },
  {
    api: 'admin' as const,
    path: '/admin/v1/me',
    current: 'PATCH /admin/v1/me',
    openapi: '/admin/openapi.json',
    template: '/admin/v1/me',
    status: 401,
  },
])('a deprecated operation of the $api API', ({ api, path, current, openapi, template, status }) => {
  const app = apps[api];

  test.each(['GET', 'HEAD'])(
    'a deprecated operation says so in the headers of every response to %s, also of an error',
    async (method) => {
      const rejected = await send(app, `${method} ${path}`);
      expect(rejected).toMatchObject({ status, headers: HEADERS });
      const malformed = await send(app, `${method} ${path}`, { 'content-length': '2' });
      expect(malformed).toMatchObject({ status: 400, headers: HEADERS });
    },
  );

  test('a deprecated operation is the only one with these headers', async () => {
    const { headers } = await send(app, current);
    for (const name of Object.keys(HEADERS)) expect(headers).not.toHaveProperty(name);
  });

  test('a deprecated operation is deprecated in the document, with the headers of every response', async () => {
    const paths = await describedIn(app, openapi);
    for (const [otherPath, operations] of Object.entries(paths)) {
      for (const [method, { deprecated, description, responses }] of Object.entries(operations)) {
        const isDeprecated = otherPath === template && method === 'get';
        expect(deprecated ?? false, `${method} ${otherPath}`).toBe(isDeprecated);
        expect(/^\*\*Deprecated since 2027-03-01\.\*\* Stops working on 2028-06-30\./.test(description)).toBe(
          isDeprecated,
        );
        for (const { headers = {} } of Object.values(responses)) {
          for (const name of ['Deprecation', 'Sunset', 'Link'])
            expect(Object.hasOwn(headers, name), `${method} ${otherPath}`).toBe(isDeprecated);
        }
      }
    }
  });
});
