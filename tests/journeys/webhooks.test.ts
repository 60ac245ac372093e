import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { EVENT_TYPES } from '@tollgate/contracts/payments/event-types';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Payment } from '@tollgate/contracts/payments/payment';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { eventually } from '@tollgate/test-kit/eventually';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../support/api-client.ts';
import type { AdminCaller } from '../support/platform/admin-client.ts';
import { joinSharedPlatform, type SharedPlatform } from '../support/platform/shared-platform.ts';
import type { TestApplication } from '../support/platform/test-application.ts';
import type { TestTeam } from '../support/platform/test-team.ts';
import {
  createWebhookEndpoint,
  type EndpointOptions,
  type TestEndpoint,
} from '../support/platform/webhook-endpoint.ts';
import type { ReceivedWebhook, WebhookReceiver } from '../support/platform/webhook-receiver.ts';

const schemas = new Map(EVENT_TYPES.map(({ type, schema }) => [type, Compile(schema as TSchema)]));
const receivers: WebhookReceiver[] = [];
let platform: SharedPlatform;
let team: TestTeam;
let owner: AdminCaller;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  team = await platform.createTeam();
  owner = platform.admin.as(team.owner.session);
});
afterAll(() => platform?.leave());
afterEach(async () => {
  const rejected = receivers.flatMap((receiver) => receiver.rejected);
  for (const receiver of receivers.splice(0)) await receiver.close();
  expect(rejected).toEqual([]);
});

async function anEndpoint(application: TestApplication, options: EndpointOptions = {}, member = owner) {
  const endpoint = await createWebhookEndpoint(member, application, options);
  receivers.push(endpoint.receiver);
  return endpoint;
}

function apiOf(application: TestApplication, environment: Environment = 'sandbox') {
  return apiClient(platform.baseUrl[environment], application.keys[environment]);
}

/** Webhooks of one payment in the order of its versions, once `count` have arrived. */
async function webhooksOf(payment: Payment, { receiver }: TestEndpoint, count: number) {
  const ofPayment = () => receiver.received.filter(({ body }) => body.data.id === payment.id);
  await eventually(`${count} webhooks of the payment came`, () => ofPayment().length >= count);
  return ofPayment().sort((one, other) => one.body.data.version - other.body.data.version);
}

const typesOf = (webhooks: ReceivedWebhook[]) => webhooks.map(({ body }) => body.type);

/** The newest delivery to an endpoint with this status, once there is one. */
async function deliveryOf(endpoint: TestEndpoint, status: 'succeeded' | 'skipped' | 'failed') {
  const list = async () => {
    const { body } = await owner.call(ADMIN_ROUTES.listDeliveries, { endpoint_id: endpoint.id, status });
    return body.data;
  };
  // A retry follows after up to six seconds.
  const within = { timeoutMs: 25_000 };
  await eventually(`a delivery has ${status}`, async () => (await list()).length > 0, within);
  return (await list())[0] as Awaited<ReturnType<typeof list>>[number];
}

const LIVES: { ends: string; method: string | null; isCanceled?: true; types: PaymentEventType[] }[] = [
  { ends: 'succeeded', method: null, types: ['payment.created', 'payment.processing', 'payment.succeeded'] },
  {
    ends: 'failed',
    method: 'pm_decline',
    types: ['payment.created', 'payment.processing', 'payment.failed'],
  },
  { ends: 'canceled', method: 'pm_hold', isCanceled: true, types: ['payment.created', 'payment.canceled'] },
];

it.each(LIVES)(
  'an endpoint receives every step of a payment that ends as $ends, each with the payment at that step',
  async (life) => {
    const application = await platform.createApplication(team);
    const endpoint = await anEndpoint(application);
    const api = apiOf(application);
    const created = await api.create({
      amount: 1999,
      currency: 'EUR',
      purpose: 'Bücher – 10 €',
      payment_method: life.method,
    });
    if (life.isCanceled) await api.cancel(created.body.id, { cancellation_reason: 'abandoned' });

    const webhooks = await webhooksOf(created.body, endpoint, life.types.length);
    expect(typesOf(webhooks)).toEqual(life.types);
    expect(webhooks.map(({ body }) => body.data.version)).toEqual(life.types.map((_, index) => index + 1));
    const ended = await api.read(created.body.id);
    expect(ended.body.status).toBe(life.ends);
    expect(webhooks[0]?.body.data).toEqual({ ...created.body, application_id: application.id });
    expect(webhooks.at(-1)?.body.data).toEqual({ ...ended.body, application_id: application.id });
    for (const { body } of webhooks) {
      expect(schemas.get(body.type)?.Errors(body)).toEqual([]);
      expect(body.timestamp).toBe(body.data.updated_at);
      expect(body.data.environment).toBe('sandbox');
    }
  },
);

it("an endpoint receives the exact bytes that the admin API shows for the event, under the event's id", async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application);
  const { body: payment } = await apiOf(application).create({
    amount: 5,
    currency: 'JPY',
    purpose: '切符 ✓',
  });
  const webhooks = await webhooksOf(payment, endpoint, 3);

  const { body: events } = await owner.call(ADMIN_ROUTES.listEvents, { payment_id: payment.id });
  expect(new Set(webhooks.map(({ id }) => id))).toEqual(new Set(events.data.map(({ id }) => id)));
  for (const { id, rawBody } of webhooks) {
    const { body: event } = await owner.call(ADMIN_ROUTES.getEvent, { event_id: id });
    expect(rawBody.equals(Buffer.from(event.body))).toBe(true);
    expect(event.deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([endpoint.id]);
  }
});

it('an endpoint receives a failed delivery again, byte for byte under the same id, and the log shows both attempts', async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application, { eventTypes: ['payment.created'] });
  endpoint.receiver.respond = () => ({
    status: endpoint.receiver.received.length === 1 ? 500 : 200,
    body: `response ${endpoint.receiver.received.length}`,
  });
  await apiOf(application).create();
  const { id } = await deliveryOf(endpoint, 'succeeded');
  const [first, second] = endpoint.receiver.received as [ReceivedWebhook, ReceivedWebhook];
  expect(second.id).toBe(first.id);
  expect(second.rawBody.equals(first.rawBody)).toBe(true);

  const { body: delivery } = await owner.call(ADMIN_ROUTES.getDelivery, { delivery_id: id });
  expect(delivery.attempt_log.map(({ response }) => response?.status)).toEqual([500, 200]);
  const attempts = delivery.attempt_log.map((attempt) =>
    owner.call(ADMIN_ROUTES.getAttempt, { delivery_id: id, attempt_id: attempt.id }),
  );
  for (const [index, { body: attempt }] of (await Promise.all(attempts)).entries()) {
    expect(attempt.request_body).toBe(first.rawBody.toString());
    expect(attempt.response_body).toBe(`response ${index + 1}`);
  }
});

it('an endpoint that subscribes to one type receives only that type', async () => {
  const application = await platform.createApplication(team);
  const [all, one] = [
    await anEndpoint(application),
    await anEndpoint(application, { eventTypes: ['payment.succeeded'] }),
  ];
  const { body: payment } = await apiOf(application).create();
  await webhooksOf(payment, all, 3);
  expect(typesOf(await webhooksOf(payment, one, 1))).toEqual(['payment.succeeded']);
  const { body: owed } = await owner.call(ADMIN_ROUTES.listDeliveries, { endpoint_id: one.id });
  expect(owed.data.map(({ event_type }) => event_type)).toEqual(['payment.succeeded']);
});

it('the feed waits for the events of a payment, and returns the bytes that its endpoint receives, in order', async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application);
  const feed = (cursor: string) =>
    owner.call(ADMIN_ROUTES.listEvents, {
      order: 'asc',
      wait: 25,
      application_id: application.id,
      cursor,
    });
  const { next_cursor } = (await owner.call(ADMIN_ROUTES.listEvents, { order: 'asc', after: 'newest' })).body;
  const { body: payment } = await apiOf(application).create();
  const events = [];
  for (let cursor = next_cursor as string; events.length < 3; ) {
    const { body: page } = await feed(cursor);
    events.push(...page.data);
    cursor = page.next_cursor as string;
  }
  const webhooks = await webhooksOf(payment, endpoint, 3);
  expect(events.map(({ id, body }) => ({ id, body }))).toEqual(
    webhooks.map(({ id, rawBody }) => ({ id, body: rawBody.toString() })),
  );
});

it('endpoints of live and of the sandbox receive the payments of their own environment only', async () => {
  const application = await platform.createApplication(team);
  const live = await anEndpoint(application, { environment: 'live' });
  const sandbox = await anEndpoint(application);
  const { body: livePayment } = await apiOf(application, 'live').create(undefined, 'live');
  await owner.call(ADMIN_ROUTES.settlePayment, {
    payment_id: livePayment.id,
    outcome: { status: 'succeeded' },
  });
  const { body: sandboxPayment } = await apiOf(application).create();

  for (const [endpoint, payment] of [
    [live, livePayment],
    [sandbox, sandboxPayment],
  ] as const) {
    const webhooks = await webhooksOf(payment, endpoint, 3);
    expect(typesOf(webhooks)).toEqual(['payment.created', 'payment.processing', 'payment.succeeded']);
    expect(new Set(webhooks.map(({ body }) => body.data.environment))).toEqual(
      new Set([payment.environment]),
    );
    expect(endpoint.receiver.received).toHaveLength(3);
    // The list contains only what was received: no delivery of the other environment is pending.
    const { body: owed } = await owner.call(ADMIN_ROUTES.listDeliveries, { endpoint_id: endpoint.id });
    expect(new Set(owed.data.map(({ payment_id }) => payment_id))).toEqual(new Set([payment.id]));
  }
});

it('endpoints of other teams and applications receive nothing of a payment, and their members cannot see it', async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application);
  const beside = await anEndpoint(await platform.createApplication(team));
  const otherTeam = await platform.createTeam();
  const stranger = platform.admin.as(otherTeam.owner.session);
  const theirs = await anEndpoint(await platform.createApplication(otherTeam), {}, stranger);

  const { body: payment } = await apiOf(application).create();
  const webhooks = await webhooksOf(payment, endpoint, 3);
  for (const { id } of webhooks) {
    const { body: event } = await owner.call(ADMIN_ROUTES.getEvent, { event_id: id });
    expect(event.deliveries.map(({ endpoint_id }) => endpoint_id)).toEqual([endpoint.id]);
    const { problem } = await stranger.call(ADMIN_ROUTES.getEvent, { event_id: id });
    expect(problem?.code).toBe('not-found');
  }
  expect([beside.receiver.received, theirs.receiver.received]).toEqual([[], []]);
  const { body: seen } = await stranger.call(ADMIN_ROUTES.listDeliveries, { payment_id: payment.id });
  expect(seen.data).toEqual([]);
  const denied = await stranger.call(ADMIN_ROUTES.revealSecret, { endpoint_id: endpoint.id });
  expect(denied.problem?.code).toBe('not-found');
});

it('a disabled endpoint receives nothing, and after it is enabled a replay sends everything that it has missed', async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application);
  const since = new Date().toISOString();
  const ref = { endpoint_id: endpoint.id };
  await owner.call(ADMIN_ROUTES.disableEndpoint, { ...ref, reason: 'We are moving.' });
  const { body: payment } = await apiOf(application).create();
  const skipped = async () =>
    (await owner.call(ADMIN_ROUTES.listDeliveries, { ...ref, status: 'skipped' })).body.data;
  await eventually('all three are skipped', async () => (await skipped()).length === 3);
  expect(endpoint.receiver.received).toEqual([]);

  await owner.call(ADMIN_ROUTES.enableEndpoint, ref);
  const { body: replayed } = await owner.call(ADMIN_ROUTES.replayMissing, { ...ref, since });
  expect(replayed).toEqual({ deliveries: 3, next_cursor: null });
  expect(typesOf(await webhooksOf(payment, endpoint, 3))).toEqual([
    'payment.created',
    'payment.processing',
    'payment.succeeded',
  ]);
  expect(await skipped()).toEqual([]);
});

it('a disabled endpoint is the result of a 410 response, and later events are skipped', async () => {
  const application = await platform.createApplication(team);
  const endpoint = await anEndpoint(application, { eventTypes: ['payment.created'] });
  endpoint.receiver.respond = () => ({ status: 410 });
  await apiOf(application).create();
  expect(await deliveryOf(endpoint, 'failed')).toMatchObject({ response_status: 410, attempts: 1 });
  const read = async () => (await owner.call(ADMIN_ROUTES.getEndpoint, { endpoint_id: endpoint.id })).body;
  await eventually('it is disabled', async () => (await read()).status === 'disabled');
  expect((await read()).disabled?.by).toBe('gone');

  const { body: payment } = await apiOf(application).create();
  expect((await deliveryOf(endpoint, 'skipped')).payment_id).toBe(payment.id);
  expect(endpoint.receiver.received).toHaveLength(1);
});
