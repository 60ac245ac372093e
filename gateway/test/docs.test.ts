import { ERRORS } from '@tollgate/contracts/errors';
import { CancelPaymentBody, CreatePaymentBody, Payment } from '@tollgate/contracts/payment';
import { createLogger } from '@tollgate/runtime/logger';
import { createMetrics } from '@tollgate/runtime/metrics';
import { parseKeyring } from '@tollgate/security/keyring';
import { createFakeClock } from '@tollgate/test-kit/fake-clock';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPrincipals } from '../src/authentication/principals.ts';
import { ProblemSchema } from '../src/docs/problem-schema.ts';
import { OPERATIONS } from '../src/operations/operations.ts';
import { createPaymentsPool } from '../src/proxy/payments-pool.ts';
import { buildPublicApp } from '../src/public-api/app.ts';
import { createGatewayMetrics } from '../src/request/gateway-metrics.ts';

const DOCS_BASE_URL = 'https://api.example.com/docs';

/** The docs need neither keys nor payments, so the app is not connected to anything. */
function buildUnconnectedApp() {
  const clock = createFakeClock();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const keys = parseKeyring(`1:${Buffer.alloc(32, 1).toString('base64')}`);
  return buildPublicApp({
    environment: 'sandbox',
    docsBaseUrl: DOCS_BASE_URL,
    trustedProxies: [],
    principals: createPrincipals({ clock, logger, maxStalenessMs: 1, lastConfirmedAt: () => null }),
    paymentsPool: createPaymentsPool({ clock, logger }),
    peppers: keys,
    signingKeys: keys,
    metrics: createGatewayMetrics(createMetrics('test'), () => 0),
    logger,
    clock,
    usage: { countResponses() {}, countAborted() {} },
  });
}

const app = buildUnconnectedApp();
beforeAll(async () => void (await app.ready()));
afterAll(() => app.close());

const get = (url: string) => app.inject({ url, headers: { host: 'a' } });

interface OpenapiOperation {
  operationId: string;
  requestBody?: { content: Record<string, { example: unknown }> };
  responses: Record<
    string,
    { content?: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  >;
}

async function readOpenapi() {
  const response = await get('/openapi.json');
  expect(response.headers['content-type']).toBe('application/json');
  return response.json() as {
    openapi: string;
    paths: Record<string, Record<string, OpenapiOperation>>;
    components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
  };
}

describe('the OpenAPI document', () => {
  test('describes exactly the public operations, with a bearer key', async () => {
    const openapi = await readOpenapi();
    expect(openapi.openapi).toBe('3.1.0');
    const described = Object.entries(openapi.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(
      OPERATIONS.map(({ method, path }) => `${method} ${path.replace(':payment_id', '{payment_id}')}`),
    );
    expect(openapi.components.securitySchemes).toMatchObject({ apiKey: { type: 'http', scheme: 'bearer' } });
  });

  test('contains the schemas that validate requests', async () => {
    const { schemas } = (await readOpenapi()).components;
    expect(schemas['CreatePaymentBody']).toEqual(JSON.parse(JSON.stringify(CreatePaymentBody)));
    expect(schemas['CancelPaymentBody']).toEqual(JSON.parse(JSON.stringify(CancelPaymentBody)));
    expect(schemas['Payment']).toEqual(JSON.parse(JSON.stringify(Payment)));
  });

  test('contains everything it refers to', async () => {
    const openapi = await readOpenapi();
    const references = JSON.stringify(openapi).matchAll(/"\$ref":"#\/([^"]+)"/g);
    for (const [, path = ''] of references) {
      const found = path
        .split('/')
        .reduce<unknown>((node, name) => (node as Record<string, unknown>)?.[name], openapi);
      expect(found, path).toBeDefined();
    }
  });

  test('has examples that match its own schemas', async () => {
    const { paths } = await readOpenapi();
    const payment = Compile(Payment);
    const problem = Compile(ProblemSchema);
    for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const body = operation.requestBody?.content['application/json']?.example;
      if (operation.operationId === 'createPayment')
        expect(Compile(CreatePaymentBody).Check(body)).toBe(true);
      if (operation.operationId === 'cancelPayment')
        expect(Compile(CancelPaymentBody).Check(body)).toBe(true);
      for (const [status, { content = {} }] of Object.entries(operation.responses)) {
        for (const { value } of Object.values(content['application/problem+json']?.examples ?? {})) {
          expect(problem.Check(value)).toBe(true);
          expect((value as { status: number }).status).toBe(Number(status));
        }
        if (status.startsWith('20')) expect(payment.Check(content['application/json']?.example)).toBe(true);
      }
    }
  });

  test('lists every error that a caller of the public API can get', async () => {
    const adminOnly = new Set([
      'forbidden',
      'not-found',
      'precondition-failed',
      'precondition-required',
      'sign-in-failed',
      'second-factor-required',
      'invalid-session',
      'last-owner',
      'too-many-attempts',
      'reply-too-large',
    ]);
    const text = JSON.stringify((await readOpenapi()).paths);
    for (const code of Object.keys(ERRORS).filter((code) => !adminOnly.has(code)))
      expect(text).toContain(`"code":"${code}"`);
  });
});

describe('the docs', () => {
  test('list every code, and explain each at the URL in the `type` of its problems', async () => {
    const list = (await get('/docs/errors')).body;
    for (const [code, { title, status }] of Object.entries(ERRORS)) {
      expect(list).toContain(`href="/docs/errors/${code}"`);
      const page = await get(`/docs/errors/${code}`);
      expect(page.statusCode).toBe(200);
      expect(page.body).toContain(`<h1>${title}</h1>`);
      expect(page.body).toContain(`status ${status}`);
      expect(page.body).toContain(`${DOCS_BASE_URL}/errors/${code}`);
    }
  });

  test('return 404 for unknown codes', async () => {
    for (const code of ['nonsense', '__proto__', 'constructor', 'toString']) {
      expect((await get(`/docs/errors/${code}`)).statusCode).toBe(404);
    }
  });

  test('list every operation, scope, and field', async () => {
    const { body } = await get('/docs');
    for (const { method, path, scope } of OPERATIONS) {
      expect(body).toContain(`<code>${method} ${path.replace(':payment_id', '{payment_id}')}</code>`);
      expect(body).toContain(scope);
    }
    for (const field of [...Object.keys(CreatePaymentBody.properties), ...Object.keys(Payment.properties)]) {
      expect(body, field).toContain(`<code>${field}</code>`);
    }
  });

  test.each(['/docs', '/docs/errors', '/docs/errors/internal'])(
    '%s is HTML that cannot load or run anything',
    async (url) => {
      const { headers, body } = await get(url);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/,
      );
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['cache-control']).toBe('public, max-age=300');
      expect(body).not.toMatch(/<script|<img|<link|<iframe|src=|@import|url\(|style="|\son[a-z]+="/i);
    },
  );

  test('respond to HEAD without a body, and ignore a query', async () => {
    const head = await app.inject({ method: 'HEAD', url: '/docs', headers: { host: 'a' } });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect((await get('/docs?utm_source=mail')).statusCode).toBe(200);
  });
});
