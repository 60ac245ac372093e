import { Payment } from '@tollgate/contracts/payments/payment';
import { ERRORS } from '@tollgate/contracts/platform/errors';
import { newId } from '@tollgate/contracts/platform/ids';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { Compile } from 'typebox/compile';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aPrincipal,
  type PaymentsUnderTest,
  START_TIMEOUT_MS,
  signedRequest,
  startPaymentsUnderTest,
  type TestRequest,
} from './payments-under-test.ts';
import { settleDue } from './settle-due.ts';

let payments: PaymentsUnderTest;
beforeAll(async () => {
  payments = await startPaymentsUnderTest();
}, START_TIMEOUT_MS);
afterAll(() => payments.stop());

const paymentSchema = Compile(Payment);
const minimal = { amount: 1_250, currency: 'eur' };
const create = (body: TestRequest['body'] = minimal): TestRequest => ({
  method: 'POST',
  path: '/v1/payments',
  body,
});
const get = (id: string): TestRequest => ({ method: 'GET', path: `/v1/payments/${id}` });
const cancel = (id: string): TestRequest => ({ method: 'POST', path: `/v1/payments/${id}/cancel` });

async function created(principal = aPrincipal()) {
  const response = await payments.send(principal, create());
  expect(response.statusCode).toBe(201);
  return { principal, payment: response.json<Payment>() };
}

test('creation returns 201 with the whole payment and its location', async () => {
  const body = {
    amount: 999_999_999_999,
    currency: 'jpy',
    purpose: 'Rent',
    reference: 'order-17',
    payer: { name: 'Ada' },
    payee: { account: 'DE89370400440532013000', email: 'b@example.com' },
    payment_method: 'pm_succeed',
    metadata: { 'a.b': '1', $set: '2', 'ключ ✓': '3', constructor: '4' },
  };
  const response = await payments.send(aPrincipal({ environment: 'live' }), create(body));
  expect(response.statusCode).toBe(201);
  const payment = response.json<Payment>();
  expect(paymentSchema.Errors(payment)).toEqual([]);
  expect(payment).toMatchObject({
    ...body,
    currency: 'JPY',
    payer: { name: 'Ada', account: null, email: null },
    environment: 'live',
    status: 'pending',
    cancelable: true,
    version: 1,
    created_at: '2026-01-01T00:00:00.000Z',
  });
  expect(response.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    location: `/v1/payments/${payment.id}`,
    'x-request-id': expect.stringMatching(/^req_/),
  });
  expect(response.headers).not.toHaveProperty('idempotent-replayed');
});

test.each([
  ['malformed-request', '{"amount":1,"amount":2,"currency":"EUR"}'],
  ['invalid-request', { ...minimal, amount: '1' }],
  ['unsupported-currency', { ...minimal, currency: 'XXX' }],
  ['amount-out-of-range', { ...minimal, amount: 0 }],
  ['card-data-not-allowed', { ...minimal, purpose: '4111111111111111' }],
  ['content-too-large', `{"purpose":"${'x'.repeat(128 * 1024)}"}`],
] as const)('creation is rejected with a %s problem and stores nothing', async (code, body) => {
  const principal = aPrincipal();
  const request = signedRequest(payments.config, payments.clock.now(), principal, create(body));
  const response = await payments.app.http.inject(request);
  expect(response.statusCode).toBe(ERRORS[code].status);
  expect(response.headers['content-type']).toBe('application/problem+json');
  expect(response.json()).toMatchObject({
    type: `http://localhost:8080/docs/errors/${code}`,
    title: ERRORS[code].title,
    status: ERRORS[code].status,
    code,
    request_id: request.headers?.['x-request-id'],
    retryable: false,
  });
  expect(await payments.storedCount(principal)).toBe(0);
});

test('creation accepts no type other than JSON', async () => {
  const response = await payments.send(aPrincipal(), {
    ...create(),
    headers: { 'content-type': 'text/plain' },
  });
  expect(response.json().code).toBe('unsupported-media-type');
});

test('creation stores the amount as a number that MongoDB compares numerically', async () => {
  const principal = aPrincipal();
  for (const amount of [5, 999_999_999_999, 30_000_000_000]) {
    await payments.send(principal, create({ amount, currency: 'EUR' }));
  }
  const found = await payments.collection
    .find({ application_id: principal.application_id, amount: { $gt: 29_999_999_999 } })
    .sort({ amount: 1 })
    .toArray();
  expect(found.map((payment) => payment['amount'])).toEqual([30_000_000_000, 999_999_999_999]);
});

test('reading returns the payment with its version as entity tag', async () => {
  const { principal, payment } = await created();
  const response = await payments.send(principal, get(payment.id));
  expect(response.statusCode).toBe(200);
  expect(response.json()).toEqual(payment);
  expect(response.headers['etag']).toBe('"1"');
});

test('reading returns 304 without a body while the version is the same, and the payment once it differs', async () => {
  const { principal, payment } = await created();
  const conditional = { ...get(payment.id), headers: { 'if-none-match': 'W/"1", "7"' } };
  const unchanged = await payments.send(principal, conditional);
  expect([unchanged.statusCode, unchanged.body, unchanged.headers['etag']]).toEqual([304, '', '"1"']);
  await payments.send(principal, cancel(payment.id));
  const changed = await payments.send(principal, conditional);
  expect([changed.statusCode, changed.headers['etag']]).toEqual([200, '"2"']);
});

test('reading responds to HEAD as to GET, without the body', async () => {
  const { principal, payment } = await created();
  const whole = await payments.send(principal, get(payment.id));
  const head = await payments.send(principal, { ...get(payment.id), method: 'HEAD' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  for (const name of ['etag', 'content-type', 'content-length'])
    expect(head.headers[name]).toBe(whole.headers[name]);
  const unknown = await payments.send(principal, { ...get(newId('payment')), method: 'HEAD' });
  expect([unknown.statusCode, unknown.body]).toEqual([404, '']);
});

test('cancellation returns the canceled payment', async () => {
  const { principal, payment } = await created();
  payments.clock.advance(1_000);
  const response = await payments.send(principal, {
    ...cancel(payment.id),
    body: { cancellation_reason: 'duplicate' },
  });
  expect(response.statusCode).toBe(200);
  const now = new Date(payments.clock.now()).toISOString();
  expect(response.json()).toEqual({
    ...payment,
    status: 'canceled',
    cancelable: false,
    version: 2,
    waiting_for: null,
    cancellation_reason: 'duplicate',
    canceled_at: now,
    updated_at: now,
  });
});

test('cancellation of a canceled payment changes nothing and keeps the first reason', async () => {
  const { principal, payment } = await created();
  const first = await payments.send(principal, {
    ...cancel(payment.id),
    body: { cancellation_reason: 'duplicate' },
  });
  const second = await payments.send(principal, {
    ...cancel(payment.id),
    body: { cancellation_reason: 'fraudulent' },
  });
  expect(second.statusCode).toBe(200);
  expect(second.json()).toEqual(first.json());
});

test.each(['"2"', 'W/"1"', '1'])(
  'cancellation with If-Match: %s does not change a payment of version 1',
  async (ifMatch) => {
    const { principal, payment } = await created();
    const response = await payments.send(principal, {
      ...cancel(payment.id),
      headers: { 'if-match': ifMatch },
    });
    expect(response.statusCode).toBe(412);
    expect(response.json()).toMatchObject({ code: 'precondition-failed', retryable: false });
    expect((await payments.send(principal, get(payment.id))).json()).toEqual(payment);
  },
);

test.each(['"1"', '"7", "1"', '*'])(
  'cancellation with If-Match: %s cancels a payment of version 1',
  async (ifMatch) => {
    const { principal, payment } = await created();
    const request = { ...cancel(payment.id), headers: { 'if-match': ifMatch } };
    const response = await payments.send(principal, request);
    expect(response.json()).toMatchObject({ status: 'canceled', version: 2 });
    // The repetition finds the change made (RFC 9110 §13.1.1).
    expect((await payments.send(principal, request)).json()).toEqual(response.json());
  },
);

test('cancellation of a payment that is being settled is rejected and changes nothing', async () => {
  const { principal, payment } = await created();
  payments.clock.advance(5_000);
  await settleDue(payments.app);
  const response = await payments.send(principal, cancel(payment.id));
  expect(response.statusCode).toBe(409);
  expect(response.json()).toMatchObject({ code: 'payment-not-cancelable', payment_status: 'succeeded' });
  expect((await payments.send(principal, get(payment.id))).json()).toMatchObject({
    status: 'succeeded',
    version: 3,
  });
});

test('a payment of another application, team, or environment, or with an unknown or malformed id, returns the same 404', async () => {
  const { principal, payment } = await created();
  const cases: [typeof principal, string][] = [
    [{ ...principal, application_id: newId('application') }, payment.id],
    [{ ...principal, team_id: newId('team') }, payment.id],
    [{ ...principal, environment: 'live' }, payment.id],
    [principal, newId('payment')],
    [principal, 'pay_x'],
    [principal, payment.id.toUpperCase()],
    [principal, '%00'],
    [principal, 'x'.repeat(2_000)],
    [principal, '[object%20Object]'],
  ];
  for (const request of [get, cancel]) {
    const responses = await Promise.all(
      cases.map(async ([as, id]) => {
        const { request_id: _, ...problem } = (await payments.send(as, request(id))).json();
        return problem;
      }),
    );
    expect(responses[0]).toMatchObject({ code: 'payment-not-found', status: 404 });
    for (const answer of responses) expect(answer).toEqual(responses[0]);
  }
  expect((await payments.send(principal, get(payment.id))).json().status).toBe('pending');
});

describe('a request', () => {
  const unsigned = { method: 'POST', url: '/v1/payments', payload: minimal } as const;
  const sign = (changes: Partial<TestRequest> = {}, nowMs = payments.clock.now()) =>
    signedRequest(payments.config, nowMs, aPrincipal(), { ...create(), key: 'k', ...changes });

  test.each<[string, () => InjectOptions]>([
    ['unsigned', () => unsigned],
    ['signed more than 30 s ago', () => sign({}, payments.clock.now() - 31_000)],
    ['signed more than 30 s ahead', () => sign({}, payments.clock.now() + 31_000)],
    ['with another body', () => ({ ...sign(), payload: Buffer.from('{"amount":9,"currency":"EUR"}') })],
    ['with another path', () => ({ ...sign(), url: '/v1/payments?x=1' })],
    ['with another idempotency key', () => replaceHeader(sign(), 'idempotency-key', 'other')],
    ['with another request id', () => replaceHeader(sign(), 'x-request-id', newId('request'))],
    ['with another principal', () => replaceHeader(sign(), 'x-tollgate-principal', encoded(aPrincipal()))],
  ])('%s is rejected with 401', async (_what, request) => {
    const response = await payments.app.http.inject(request());
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('unauthenticated');
  });

  test('signed 30 s ago is served', async () => {
    expect((await payments.app.http.inject(sign({}, payments.clock.now() - 30_000))).statusCode).toBe(201);
  });

  test.each([
    ['payment:create', create()],
    ['payment:read', get(newId('payment'))],
    ['payment:cancel', cancel(newId('payment'))],
  ] as const)('a request without the scope %s is rejected before any lookup', async (scope, request) => {
    const scopes = aPrincipal().scopes.filter((held) => held !== scope);
    const response = await payments.send(aPrincipal({ scopes }), request);
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ code: 'insufficient-scope', required_scope: scope });
  });

  test.each(['GET', 'QUERY'])('a request to any other path with %s returns a 404 problem', async (method) => {
    for (const http of [payments.app.http, payments.app.callbackHttp]) {
      const response = await http.inject({ method: method as 'GET', url: '/v1/refunds' });
      expect(response.statusCode).toBe(404);
      expect(response.json().code).toBe('route-not-found');
    }
  });
});

describe('any input of a caller', () => {
  const field = fc.oneof(
    fc.jsonValue(),
    fc.integer(),
    fc.constantFrom('EUR', 'jpy', 'pm_hold', -0, 1e300, '\0', '\ud800'),
  );
  const fields = fc.dictionary(
    fc.constantFrom(
      'amount',
      'currency',
      'purpose',
      'payer',
      'payee',
      'metadata',
      'payment_method',
      'x',
      'constructor',
    ),
    field,
  );
  const body = fc.oneof(
    fields.map((value) => Buffer.from(JSON.stringify({ amount: 1, currency: 'EUR', ...value }))),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))),
    fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary' }).map((text) => Buffer.from(text)),
  );

  test('any input of a caller as a body is accepted or rejected with a problem, and never causes a failure', async () => {
    const principal = aPrincipal();
    await fc.assert(
      fc.asyncProperty(body, async (bytes) => {
        const response = await payments.send(principal, create(bytes));
        expect([201, 400, 422]).toContain(response.statusCode);
      }),
      { numRuns: 1_000 },
    );
  });

  // "." and ".." are path segments, not ids (RFC 3986 §5.2.4).
  const id = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text !== '.' && text !== '..');

  test('any input of a caller as an id is not found', async () => {
    const principal = aPrincipal();
    await fc.assert(
      fc.asyncProperty(id, async (id) => {
        for (const request of [get, cancel]) {
          const response = await payments.send(principal, request(encodeURIComponent(id)));
          expect(response.statusCode).toBe(404);
        }
      }),
    );
  });
});

function encoded(principal: object): string {
  return Buffer.from(JSON.stringify(principal)).toString('base64url');
}

function replaceHeader(request: ReturnType<typeof signedRequest>, name: string, value: string) {
  return { ...request, headers: { ...request.headers, [name]: value } };
}
