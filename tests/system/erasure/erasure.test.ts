import { randomBytes } from 'node:crypto';
import { parsePublicKey } from '@tollgate/audit-log/keys';
import { splitLines } from '@tollgate/audit-log/split-lines';
import { verifyExport } from '@tollgate/audit-log/verify-export';
import { type Bus, connectBus } from '@tollgate/bus/connection';
import { streamBodies } from '@tollgate/bus/test/stream-bodies';
import { AUDIT_EXPORT_PATH } from '@tollgate/contracts/admin-api/audit-routes';
import { ADMIN_ROUTES, PAYMENTS_CSV_PATH } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { eventually } from '@tollgate/test-kit/eventually';
import { allDocumentsAsText } from '@tollgate/test-kit/stored-documents';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { reconcileUsage } from '../../support/platform/reconcile-usage.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';
import { findInFiles } from './raw-files.ts';

/** Part of every text that the application, a member, or a receiver sends. Never part of an id or a key. In lower case, as in the search. */
const SECRET = `lovelace-${randomBytes(8).toString('hex')}`;
const PERSONAL = {
  purpose: `Order of Ada ${SECRET}`,
  reference: `order-${SECRET}`,
  payer: { name: `Ada ${SECRET}`, account: `DE-${SECRET}`, email: `ada@${SECRET}.example` },
  payee: { name: `Shop ${SECRET}`, account: `FR-${SECRET}`, email: `shop@${SECRET}.example` },
  return_url: `https://shop.example/${SECRET}`,
  metadata: { note: `For ${SECRET}` },
};
const PERIOD = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
/** Retries of the sandbox, purges of streams, and exports of busy machines. */
const LONG_MS = 60_000;

let platform: Platform;
let bus: Bus;
let application: TestApplication;
/** Repeats what it gets. */
let echoing: TestEndpoint;
/** Fails until the payments are erased. */
let failing: TestEndpoint;

beforeAll(async () => {
  platform = await startPlatform({
    env: { LOG_LEVEL: 'debug' },
    gatewayLogLevel: 'debug',
    instances: { webhooks: 2 },
  });
  bus = await connectBus({ url: platform.infra.natsUrl, name: 'tests' });
  application = await platform.createApplication();
  const owner = platform.admin.as(platform.owner.session);
  echoing = await createWebhookEndpoint(owner, application);
  echoing.receiver.respond = ({ rawBody }) => ({
    status: 200,
    headers: { 'x-payer': rawBody.includes(SECRET) ? SECRET : 'none' },
    body: rawBody.toString(),
  });
  failing = await createWebhookEndpoint(owner, application);
  failing.receiver.respond = () => ({ status: 500 });
});
afterAll(async () => {
  await bus.close();
  await platform.stop();
  await Promise.all([echoing, failing].map(({ receiver }) => receiver.close()));
});

const admin = () => platform.admin.as(platform.owner.session);

async function createPayment(environment: Environment, paymentMethod: string): Promise<string> {
  const api = apiClient(platform.baseUrl[environment], application.keys[environment]);
  const body = { amount: 1_999, currency: 'EUR', payment_method: paymentMethod, ...PERSONAL };
  const created = await api.create(body, randomBytes(8).toString('hex'));
  expect(created.status).toBe(201);
  return created.body.id;
}

/** Sends the event of a creation to the failing endpoint again, and returns its body. */
async function resendToFailing(paymentId: string): Promise<string> {
  const { body } = await admin().call(ADMIN_ROUTES.listDeliveries, { payment_id: paymentId });
  const delivery = body.data.find(
    ({ endpoint_id, event_type }) => endpoint_id === failing.id && event_type === 'payment.created',
  );
  const sent = () => failing.receiver.received.filter(({ id }) => id === delivery?.event_id);
  const before = sent().length;
  await admin().call(ADMIN_ROUTES.resendDelivery, { delivery_id: delivery?.id as string });
  await eventually('the event is sent again', () => sent().length > before, { timeoutMs: LONG_MS });
  return sent().at(-1)?.rawBody.toString() as string;
}

/** Reads the payments in every way that an application or a member can. */
async function readEverywhere(ids: readonly string[]): Promise<string> {
  const texts: unknown[] = [];
  for (const payment_id of ids) {
    for (const route of [
      ADMIN_ROUTES.getPayment,
      ADMIN_ROUTES.getTimeline,
      ADMIN_ROUTES.listProcessorCalls,
    ]) {
      texts.push((await admin().call(route, { payment_id })).body);
    }
    const { body } = await admin().call(ADMIN_ROUTES.listDeliveries, { payment_id });
    for (const { id: delivery_id } of body.data) {
      const delivery = (await admin().call(ADMIN_ROUTES.getDelivery, { delivery_id })).body;
      texts.push(delivery);
      for (const { id: attempt_id } of delivery.attempt_log) {
        texts.push((await admin().call(ADMIN_ROUTES.getAttempt, { delivery_id, attempt_id })).body);
      }
    }
  }
  texts.push((await admin().call(ADMIN_ROUTES.listEvents, { order: 'asc', limit: 100 })).body);
  texts.push(await (await admin().fetch(PAYMENTS_CSV_PATH)).text());
  texts.push(await (await admin().fetch(`${AUDIT_EXPORT_PATH}?${PERIOD}`)).text());
  return JSON.stringify(texts);
}

it('an erasure leaves no personal data in any document, message, log, file, or export, and an audit log that verifies', {
  timeout: 180_000,
}, async () => {
  const ids = [
    await createPayment('sandbox', 'pm_succeed'),
    await createPayment('sandbox', 'pm_decline'),
    await createPayment('live', `pm_${SECRET}`),
  ];
  const [succeeded, , live] = ids as [string, string, string];
  const failure = { code: 'rejected', message: `The bank of ${SECRET} rejected.` };
  await admin().call(ADMIN_ROUTES.settlePayment, {
    payment_id: live,
    outcome: { status: 'failed', failure },
  });
  for (const search of [{ payer: PERSONAL.payer.email }, { reference: PERSONAL.reference }]) {
    const listed = async () =>
      (await admin().call(ADMIN_ROUTES.listPayments, { environment: 'sandbox', ...search })).body.data;
    await eventually('the payments have ended', async () =>
      (await listed()).every(({ status }) => status === 'succeeded' || status === 'failed'),
    );
    expect(await listed()).toHaveLength(2);
    await (await admin().fetch(`${PAYMENTS_CSV_PATH}?${new URLSearchParams(search)}`)).text();
  }
  await eventually('both endpoints have the events', () =>
    [echoing, failing].every(({ receiver }) => new Set(receiver.received.map(({ id }) => id)).size >= 6),
  );
  expect(await readEverywhere(ids)).toContain(SECRET);
  const folders = [platform.infra.nats.storeDir, platform.infra.mongodb.storeDir].filter(
    (dir) => dir !== null,
  );
  if (folders.length > 0) expect(findInFiles(folders, SECRET)).not.toEqual({});

  for (const payment_id of ids) {
    const { status, body } = await admin().call(ADMIN_ROUTES.erasePayment, { payment_id });
    expect({ status, payer: body.payer, erased: body.erased_at !== null }).toEqual({
      status: 200,
      payer: null,
      erased: true,
    });
  }

  const erasures = () => echoing.receiver.received.filter(({ body }) => body.type === 'payment.erased');
  await eventually('the erasures are delivered', () => erasures().length === 2, { timeoutMs: LONG_MS });
  expect(JSON.stringify(erasures().map(({ body }) => body))).not.toContain(SECRET);
  // For a few seconds, an instance sends a body that it has read before the erasure.
  await eventually(
    'a pending delivery is sent without the data',
    async () => !(await resendToFailing(succeeded)).includes(SECRET),
    { timeoutMs: LONG_MS },
  );
  await eventually(
    'the messages are deleted',
    async () =>
      ![...(await streamBodies(bus, 'EVENTS')), ...(await streamBodies(bus, 'AUDIT'))]
        .join()
        .includes(SECRET),
    { timeoutMs: LONG_MS },
  );

  const read = await readEverywhere(ids);
  expect(read).toContain(succeeded);
  expect(contextsOf(SECRET, read)).toEqual([]);
  await expectIntactAuditLog();
  const day = new Date().toISOString().slice(0, 10);
  expect(await reconcileUsage(platform, { from: day, to: day })).toMatchObject({ code: 0 });
  expect(contextsOf(SECRET, await allDocumentsAsText(platform.infra.mongodbUrl))).toEqual([]);
  for (const process of Object.values(platform.processes)) {
    expect(contextsOf(SECRET, JSON.stringify(process.logLines()))).toEqual([]);
  }
  // Closing the file empties its log, as the server does every 30 seconds.
  await platform.infra.mongodb.stop();
  expect(findInFiles([...folders, platform.dataDir], SECRET)).toEqual({});
  await platform.infra.mongodb.start();
});

/** What surrounds each occurrence, so that a failure says where it is. */
function contextsOf(text: string, content: string): string[] {
  return [...content.matchAll(RegExp(`.{0,200}${text}.{0,20}`, 'g'))].map(([context]) => context);
}

async function expectIntactAuditLog(): Promise<void> {
  const log = await admin().fetch(`${AUDIT_EXPORT_PATH}?${PERIOD}`);
  const { body } = await platform.admin.as(null).call(ADMIN_ROUTES.listPublicKeys, {});
  const publicKeys = body.data.map(({ public_key, version }) => parsePublicKey(public_key, version));
  const result = await verifyExport(splitLines(log.body as AsyncIterable<Uint8Array>), { publicKeys });
  expect(result).toMatchObject({ isIntact: true, findings: [] });
  const { body: records } = await admin().call(ADMIN_ROUTES.listRecords, { action: 'payment.erased' });
  expect(records.data).toHaveLength(3);
}
