import { randomUUID } from 'node:crypto';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { consume } from '@tollgate/bus/consumer';
import { createPublisher } from '@tollgate/bus/publisher';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { PaymentStatus } from '@tollgate/contracts/payments/payment';
import { newId } from '@tollgate/contracts/platform/ids';
import { eventSubject } from '@tollgate/contracts/platform/streams';
import { createLogger } from '@tollgate/runtime/logger';
import { createIssuerKeys } from '@tollgate/security/test/issuer-keys';
import { eventually } from '@tollgate/test-kit/eventually';
import { withStoredDocuments } from '@tollgate/test-kit/stored-documents';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, apiClient } from '../../support/api-client.ts';
import type { AdminCaller } from '../../support/platform/admin-client.ts';
import { followChanges, type LiveStream } from '../../support/platform/live-stream.ts';
import { joinSharedPlatform, type SharedPlatform } from '../../support/platform/shared-platform.ts';
import type { TestApplication } from '../../support/platform/test-application.ts';
import { countUnverified } from '../../support/platform/unverified-messages.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';

const HELD = { amount: 100, currency: 'EUR', payment_method: 'pm_hold' };
/** Payments looks for expired payments every 10 s, and for unpublished events of payments that changed 5 s ago. */
const FOUND_WITHIN = { timeoutMs: 30_000 };

let platform: SharedPlatform;
let application: TestApplication;
let owner: AdminCaller;
let endpoint: TestEndpoint;
let stream: LiveStream;
let sandbox: ApiClient;
let live: ApiClient;
/** The attacker may publish anything to NATS, and has no key of a service. */
let bus: Bus;

beforeAll(async () => {
  platform = await joinSharedPlatform();
  const team = await platform.createTeam();
  application = await platform.createApplication(team);
  owner = platform.admin.as(team.owner.session);
  endpoint = await createWebhookEndpoint(owner, application);
  stream = await followChanges(owner);
  sandbox = apiClient(platform.baseUrl.sandbox, application.keys.sandbox);
  live = apiClient(platform.baseUrl.live, application.keys.live);
  bus = await connectBus({ url: platform.natsUrl, name: 'attacker' });
});
afterAll(async () => {
  stream?.close();
  await bus?.close();
  await endpoint?.receiver.close();
  await platform?.leave();
});

async function createPayment(api: ApiClient): Promise<string> {
  const { status, body } = await api.create(HELD, randomUUID());
  expect(status).toBe(201);
  return body.id;
}

const webhooksOf = (paymentId: string) =>
  endpoint.receiver.received.filter(({ body }) => body.data.id === paymentId);
const liveEventsOf = (paymentId: string) =>
  stream.events.filter(({ data }) => (data['payment'] as { id?: string } | undefined)?.id === paymentId);
const auditRecordsOf = async (paymentId: string) =>
  (await owner.call(ADMIN_ROUTES.listRecords, { limit: 100 })).body.data.filter(
    ({ target }) => target.id === paymentId,
  );

/** Creates a payment, and waits until everyone has its event: what came before has been handled, too. */
async function expectTrueEventsArrive(): Promise<string> {
  const paymentId = await createPayment(sandbox);
  await eventually(
    'the webhook, the live event, and the audit record of a true event',
    async () =>
      webhooksOf(paymentId).length === 1 &&
      liveEventsOf(paymentId).length === 1 &&
      (await auditRecordsOf(paymentId)).length === 1,
    { timeoutMs: 30_000 },
  );
  return paymentId;
}

describe('publishing an event that payments did not sign', () => {
  /** Reads the stream, as anyone with access to NATS can. */
  async function eventOf(paymentId: string): Promise<PaymentEvent> {
    let found: PaymentEvent | undefined;
    const consumer = consume(bus, {
      stream: 'EVENTS',
      durable: `attacker-${randomUUID()}`,
      schema: Type.Unknown(),
      concurrency: 100,
      logger: createLogger({ service: 'attacker', level: 'silent' }),
      async handle({ body }) {
        const event = body as PaymentEvent;
        if (event.data.id === paymentId) found = event;
      },
    });
    await eventually('the event is in the stream', () => found !== undefined);
    await consumer.stop();
    return found as PaymentEvent;
  }

  const { signers } = createIssuerKeys();
  const attempts: [reason: string, what: string, forge: (event: PaymentEvent) => PaymentEvent][] = [
    ['unsigned', 'without a signature', ({ signature: _, ...event }) => event],
    ['altered', 'with the signature of another event', (event) => event],
    [
      'altered',
      'signed with a key of the attacker',
      (event) => signers.payments.sign('payment_event', event),
    ],
    [
      'wrong-issuer',
      'signed by another service',
      (event) => signers.applications.sign('payment_event', event),
    ],
    ['malformed', 'with a signature that is none', (event) => ({ ...event, signature: 'x' as never })],
  ];

  it.each(attempts)('(%s) %s delivers, records, and shows nothing', async (reason, _what, forge) => {
    const readers = [platform.opsUrls.webhooks, platform.opsUrls.audit, platform.opsUrls.gateway];
    const counts = () => Promise.all(readers.map((url) => countUnverified(url, 'payment_event', reason)));
    const event = await eventOf(await expectTrueEventsArrive());
    const before = await counts();
    const forgedId = newId('payment');
    const forged = forge({
      ...event,
      id: newId('event'),
      type: 'payment.succeeded',
      data: { ...event.data, id: forgedId, status: 'succeeded', amount: 999_999 },
    });
    await createPublisher(bus).publish(eventSubject(forged.type), forged, { messageId: forged.id });
    await eventually(
      'webhooks, audit, and the gateway count it',
      async () => (await counts()).every((count, index) => count > (before[index] as number)),
      FOUND_WITHIN,
    );
    await expectTrueEventsArrive();
    expect(webhooksOf(forgedId)).toEqual([]);
    expect(liveEventsOf(forgedId)).toEqual([]);
    expect(await auditRecordsOf(forgedId)).toEqual([]);
  });
});

/** Payments marks events shortly after it published them, which would undo a change of the mark. */
const isMarked = (paymentId: string): Promise<boolean> =>
  withStoredDocuments(platform.mongodbUrl, 'tollgate_payments', async (documents) => {
    const payment = (await documents.list('payments')).find(({ _id }) => String(_id) === paymentId);
    const history: { published_at: unknown }[] = payment?.['history'] ?? [];
    return history.length > 0 && history.every(({ published_at }) => published_at);
  });

describe('changing a stored payment', () => {
  const past = new Date(0);
  const cause = { type: 'member', id: newId('member'), address: null };
  const entry = (type: string, version: number) => ({
    event_id: newId('event'),
    type,
    version,
    occurred_at: new Date(),
    cause,
    request_id: null,
    published_at: null,
  });
  /** The sweeper publishes unpublished events of payments that changed a while ago. */
  const unpublished = { updated_at: past };
  const settled = { status: 'succeeded', version: 3, ...unpublished };

  const attempts: [
    what: string,
    environment: 'live' | 'sandbox',
    update: () => object,
    status?: PaymentStatus,
  ][] = [
    [
      'adding entries to its history',
      'sandbox',
      () => ({
        $set: settled,
        $push: { history: { $each: [entry('payment.processing', 2), entry('payment.succeeded', 3)] } },
      }),
      'succeeded',
    ],
    [
      'the amount of an event that is not published',
      'sandbox',
      () => ({
        $set: {
          ...unpublished,
          amount: 1,
          'history.0.published_at': null,
          'history.0.event_id': newId('event'),
        },
      }),
    ],
    [
      "recording a member's decision",
      'live',
      () => ({
        $set: {
          'settlement.due_at': past,
          'settlement.decision': { outcome: { status: 'succeeded' }, cause, request_id: null },
        },
      }),
    ],
    [
      'the processor',
      'live',
      () => ({ $set: { 'settlement.processor': 'sandbox', 'settlement.due_at': past } }),
    ],
    ['the environment', 'live', () => ({ $set: { environment: 'sandbox', 'settlement.due_at': past } })],
    ['the expiry', 'sandbox', () => ({ $set: { expires_at: past } })],
    [
      'the type of a field',
      'sandbox',
      () => ({ $set: { ...unpublished, metadata: 'x', 'history.0.published_at': null } }),
    ],
  ];

  it.each(attempts)(
    'changing a stored payment by %s (%s) settles nothing and sends no event',
    async (_what, environment, update, shown) => {
      const api = environment === 'live' ? live : sandbox;
      const paymentId = await createPayment(api);
      if (environment === 'sandbox')
        await eventually('its webhook', () => webhooksOf(paymentId).length === 1, FOUND_WITHIN);
      await eventually(
        'its audit record',
        async () => (await auditRecordsOf(paymentId)).length === 1,
        FOUND_WITHIN,
      );
      await eventually('its events are marked as published', () => isMarked(paymentId), FOUND_WITHIN);
      const before = await countUnverified(platform.opsUrls.payments, 'payment_history');
      const deliveries = webhooksOf(paymentId).length;

      await withStoredDocuments(platform.mongodbUrl, 'tollgate_payments', (documents) =>
        documents.update('payments', paymentId, update()),
      );
      await eventually(
        'payments counts it',
        async () => (await countUnverified(platform.opsUrls.payments, 'payment_history')) > before,
        FOUND_WITHIN,
      );
      await expectTrueEventsArrive();
      expect(webhooksOf(paymentId)).toHaveLength(deliveries);
      expect(await auditRecordsOf(paymentId)).toHaveLength(1);
      const stored = await withStoredDocuments(platform.mongodbUrl, 'tollgate_payments', async (documents) =>
        (await documents.list('payments')).find(({ _id }) => (_id as unknown) === paymentId),
      );
      expect(stored?.['status']).toBe(shown ?? 'pending');
    },
  );

  it('changing a stored payment by duplicating an entry under a new event id sends no second event', async () => {
    const paymentId = await createPayment(sandbox);
    await eventually('its webhook', () => webhooksOf(paymentId).length === 1, FOUND_WITHIN);
    await eventually('its event is marked as published', () => isMarked(paymentId), FOUND_WITHIN);
    const before = await countUnverified(platform.opsUrls.payments, 'payment_history');
    await withStoredDocuments(platform.mongodbUrl, 'tollgate_payments', async (documents) => {
      const stored = (await documents.list('payments')).find(({ _id }) => (_id as unknown) === paymentId);
      const copy = { ...stored?.['history'][0], event_id: newId('event'), published_at: null };
      await documents.update('payments', paymentId, { $push: { history: copy }, $set: { updated_at: past } });
    });
    await eventually(
      'payments counts it',
      async () => (await countUnverified(platform.opsUrls.payments, 'payment_history')) > before,
      FOUND_WITHIN,
    );
    await expectTrueEventsArrive();
    expect(webhooksOf(paymentId)).toHaveLength(1);
  });
});
