import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { createKey, setLimits } from '@tollgate/contracts/applications/rpc';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { Tollgate, type TollgateError, type TollgateOptions, toMinorUnits, webhooks } from '@tollgate/sdk';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestApplication } from '../support/platform/test-application.ts';
import type { TestTeam } from '../support/platform/test-team.ts';
import { startWebhookReceiver } from '../support/platform/webhook-receiver.ts';

const ORDER = { amount: toMinorUnits('19.99', 'EUR'), currency: 'EUR', payment_method: 'pm_hold' };

let platform: SharedPlatform;
let team: TestTeam;
let application: TestApplication;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  application = await platform.createApplication(team);
});
afterAll(() => platform?.leave());

function client(options: Partial<TollgateOptions> = {}): Tollgate {
  return new Tollgate({ apiKey: application.keys.sandbox, baseUrl: platform.baseUrl.sandbox, ...options });
}

it('the SDK at the gateway creates, repeats, retrieves, and cancels a payment', async () => {
  const tollgate = client();
  const created = await tollgate.payments.create(ORDER, { idempotencyKey: 'order-1' });
  expect(created).toMatchObject({
    amount: 1999,
    currency: 'EUR',
    status: 'pending',
    environment: 'sandbox',
  });
  expect(tollgate.environment).toBe('sandbox');

  expect(created.lastResponse).toMatchObject({ status: 201, idempotentReplayed: false });

  const repeated = await tollgate.payments.create(ORDER, { idempotencyKey: 'order-1' });
  expect(repeated).toEqual(created);
  expect(repeated.lastResponse.idempotentReplayed).toBe(true);
  expect(repeated.lastResponse.requestId).toMatch(/^req_/);
  expect(repeated.lastResponse.requestId).not.toBe(created.lastResponse.requestId);
  expect(await tollgate.payments.retrieve(created.id)).toEqual(created);

  const canceled = await tollgate.payments.cancel(created.id, { cancellation_reason: 'duplicate' });
  expect(canceled).toMatchObject({ id: created.id, status: 'canceled', cancellation_reason: 'duplicate' });
  expect(await tollgate.payments.cancel(created.id)).toEqual(canceled);
});

it('the SDK at the gateway creates one payment when the response is lost', async () => {
  const ids: string[] = [];
  const losesTheFirstResponse: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    ids.push(((await response.clone().json()) as { id: string }).id);
    if (ids.length === 1) throw new TypeError('terminated');
    return response;
  };
  const { id } = await client({ fetch: losesTheFirstResponse }).payments.create(ORDER);
  expect(ids).toEqual([id, id]);
});

it('the SDK at the gateway waits as a rate-limited response demands, and then succeeds', async () => {
  const limited = await platform.createApplication(team);
  const limit = { requests_per_second: 1, burst: 1 };
  await team.owner.call(setLimits, { application_id: limited.id, limits: { live: limit, sandbox: limit } });
  const statuses: number[] = [];
  const notesStatus: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    statuses.push(response.status);
    return response;
  };
  const options = { apiKey: limited.keys.sandbox, fetch: notesStatus };
  const { id } = await client(options).payments.create(ORDER);
  await eventually('a request is rate limited', async () => {
    await client(options).payments.retrieve(id);
    return statuses.includes(429);
  });
  expect(statuses.at(-1)).toBe(200);
  const error = await errorOf(() => exhaust(client({ ...options, maxRetries: 0 }), id));
  expect(error).toMatchObject({ name: 'RateLimitError', code: 'rate-limited', status: 429 });
  expect(error.retryAfterMs).toBeGreaterThan(0);
});

it('the SDK at the gateway throws TimeoutError with the key that repeats the call without a second payment', async () => {
  // No request to the gateway is that fast.
  const error = await errorOf(() => client({ timeoutMs: 1 }).payments.create(ORDER));
  expect(error).toMatchObject({ name: 'TimeoutError', code: 'timeout', status: undefined });
  const { idempotencyKey = '' } = error;
  const { id } = await client().payments.create(ORDER, { idempotencyKey });
  expect((await client().payments.create(ORDER, { idempotencyKey })).id).toBe(id);
});

it.each<[name: string, code: string, call: () => Promise<unknown>]>([
  [
    'AuthenticationError',
    'invalid-api-key',
    () => client({ apiKey: application.keys.live }).payments.retrieve('pay_0'),
  ],
  ['PermissionError', 'insufficient-scope', async () => (await readOnlyClient()).payments.create(ORDER)],
  ['NotFoundError', 'payment-not-found', () => client().payments.retrieve('pay_0')],
  ['ConflictError', 'payment-not-cancelable', cancelSucceeded],
  ['InvalidRequestError', 'amount-out-of-range', () => client().payments.create({ ...ORDER, amount: 0 })],
  ['InvalidRequestError', 'idempotency-key-reused', reuseKey],
  ['InvalidRequestError', 'route-not-found', () => otherPath().payments.create(ORDER)],
])('the SDK at the gateway throws %s with %s and the problem of the gateway', async (name, code, call) => {
  const error = await errorOf(call);
  expect(error).toMatchObject({ name, code, problem: { code, retryable: false } });
  expect(error.status).toBe(error.problem?.status);
  expect(error.requestId).toMatch(/^req_/);
  expect(error.requestId).toBe(error.problem?.request_id);
  expect(error.message).toContain(error.problem?.detail);
});

async function errorOf(call: () => Promise<unknown>): Promise<TollgateError> {
  const result = await call().catch((error: unknown) => error);
  expect(result).toBeInstanceOf(Error);
  return result as TollgateError;
}

/** Retrieves until the burst is used up. */
async function exhaust(tollgate: Tollgate, id: string): Promise<never> {
  for (;;) await tollgate.payments.retrieve(id);
}

async function readOnlyClient(): Promise<Tollgate> {
  const key = await team.owner.call(createKey, {
    application_id: application.id,
    name: 'Reads only',
    environment: 'sandbox',
    scopes: ['payment:read'],
  });
  const reader = client({ apiKey: shownOnce(key.secret) });
  const isKnown = async () => (await errorOf(() => reader.payments.retrieve('pay_0'))).status === 404;
  await eventually('the gateway knows the key', isKnown);
  return reader;
}

async function cancelSucceeded(): Promise<unknown> {
  const { payments } = client();
  const { id } = await payments.create({ ...ORDER, payment_method: 'pm_succeed' });
  await eventually('the payment succeeds', async () => (await payments.retrieve(id)).status === 'succeeded');
  return payments.cancel(id);
}

async function reuseKey(): Promise<unknown> {
  const { payments } = client();
  await payments.create(ORDER, { idempotencyKey: 'order-2' });
  return payments.create({ ...ORDER, amount: 1 }, { idempotencyKey: 'order-2' });
}

function otherPath(): Tollgate {
  return client({ baseUrl: `${platform.baseUrl.sandbox}/elsewhere` });
}

it('the SDK at a webhook endpoint verifies what the platform sends, also after a rotation of the secret', async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  const owner = platform.admin.as(team.owner.session);
  const { body: endpoint } = await owner.call(ADMIN_ROUTES.createEndpoint, {
    application_id: application.id,
    environment: 'sandbox',
    url: receiver.url,
    event_types: [...PAYMENT_EVENT_TYPES],
  });
  const secret = shownOnce(endpoint.secret);
  const { id } = await client().payments.create({ ...ORDER, payment_method: 'pm_succeed' });
  const events = await verifiedEvents(id, secret);
  expect(events.map(({ type }) => type)).toEqual([
    'payment.created',
    'payment.processing',
    'payment.succeeded',
  ]);
  expect(events.at(-1)?.data).toEqual({
    ...(await client().payments.retrieve(id)),
    application_id: application.id,
  });
  expect(new Set(events.map((event) => event.id)).size).toBe(3);

  const { body: rotated } = await owner.call(ADMIN_ROUTES.rotateSecret, {
    endpoint_id: endpoint.id,
  });
  const { id: next } = await client().payments.create({ ...ORDER, payment_method: 'pm_succeed' });
  expect(await verifiedEvents(next, secret)).toEqual(await verifiedEvents(next, shownOnce(rotated.secret)));

  async function verifiedEvents(paymentId: string, trusted: string) {
    const ofPayment = () => receiver.received.filter(({ body }) => body.data.id === paymentId);
    await eventually('three webhooks came', () => ofPayment().length >= 3);
    const verified = await Promise.all(
      ofPayment().map(({ rawBody, headers }) => webhooks.verify(rawBody, headers, trusted)),
    );
    return verified.sort((one, other) => one.data.version - other.data.version);
  }
});
