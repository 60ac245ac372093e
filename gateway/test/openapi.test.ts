import { SECRET_SCANNING_PATH } from '@tollgate/contracts/applications/secret-scanning';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import { CancelPaymentBody, CreatePaymentBody, Payment } from '@tollgate/contracts/payments/payment';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../src/operations/operations.ts';
import { BASE_URLS, buildUnconnectedPublicApp } from './support/unconnected-apps.ts';

const app = buildUnconnectedPublicApp();
beforeAll(async () => void (await app.ready()));
afterAll(() => app.close());

const get = (url: string) => app.inject({ url, headers: { host: 'a' } });

interface Openapi {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, object>>;
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { example: unknown } } } } }
  >;
  components: {
    schemas: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
    examples: Record<string, unknown>;
  };
}

async function readOpenapi(): Promise<Openapi> {
  const response = await get('/openapi.json');
  expect(response.headers['content-type']).toBe('application/json');
  return response.json() as Openapi;
}

test('the OpenAPI document describes exactly the public operations, with a bearer key', async () => {
  const openapi = await readOpenapi();
  expect(openapi.openapi).toBe('3.1.0');
  const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described).toEqual([
    ...OPERATIONS.map(({ method, path }) => `${method} ${path.replace(':payment_id', '{payment_id}')}`),
    `POST ${SECRET_SCANNING_PATH}`,
  ]);
  expect(openapi.paths[SECRET_SCANNING_PATH]).toMatchObject({ post: { security: [] } });
  expect(openapi.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
});

test('the OpenAPI document contains the fields of the schemas that validate requests', async () => {
  const { schemas } = (await readOpenapi()).components;
  for (const [name, schema] of Object.entries({ CreatePaymentBody, CancelPaymentBody, Payment })) {
    const { properties, required } = schemas[name] as { properties: object; required?: string[] };
    expect(Object.keys(properties)).toEqual(Object.keys(schema.properties));
    expect(required).toEqual((schema as { required?: string[] }).required);
  }
});

test('the OpenAPI document lists both environments as servers, the sandbox first', async () => {
  const { servers } = await readOpenapi();
  expect(servers.map(({ url }) => url)).toEqual([BASE_URLS.sandbox, BASE_URLS.live]);
});

test('the OpenAPI document describes every event type as a webhook', async () => {
  const { webhooks } = await readOpenapi();
  expect(Object.keys(webhooks)).toEqual(EVENT_TYPES.map(({ type }) => type));
  for (const { type, schema, example } of EVENT_TYPES) {
    expect(webhooks[type]?.post.requestBody.content['application/json'].example).toEqual(example);
    expect(Compile(schema as TSchema).Check(example)).toBe(true);
  }
});

test('the OpenAPI document contains everything it refers to', async () => {
  const openapi = await readOpenapi();
  const references = JSON.stringify(openapi).matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, path = ''] of references) {
    const found = path
      .split('/')
      .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], openapi);
    expect(found, path).toBeDefined();
  }
});

test('the OpenAPI document lists every error that a caller of the public API can get', async () => {
  const notPublic = new Set([
    // Returned for a path or a method that is not an operation.
    'method-not-allowed',
    'conflict',
    'forbidden',
    'not-found',
    'precondition-required',
    'sign-in-failed',
    'second-factor-required',
    'reauthentication-required',
    'second-factor-setup-required',
    'sso-failed',
    'sso-required',
    'invalid-session',
    'invalid-api-token',
    'last-owner',
    'too-many-attempts',
    'reply-too-large',
    'query-timeout',
  ]);
  const { examples } = (await readOpenapi()).components;
  const codes = Object.keys(ERRORS).filter((code) => !notPublic.has(code));
  expect(Object.keys(examples).toSorted()).toEqual(codes.toSorted());
});
