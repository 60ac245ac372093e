import { randomBytes, randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { HEADERS } from '@tollgate/contracts/platform/headers';
import { eventually } from '@tollgate/test-kit/eventually';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiClient } from '../../support/api-client.ts';
import { type Platform, startPlatform, type TestApplication } from '../../support/platform/platform.ts';
import { reconcileUsage } from '../../support/platform/reconcile-usage.ts';
import { createWebhookEndpoint, type TestEndpoint } from '../../support/platform/webhook-endpoint.ts';

/** Outboxes and restarts on busy machines. */
const LONG_MS = 60_000;
const TIMEOUT_MS = 180_000;

let platform: Platform;
let application: TestApplication;
let endpoint: TestEndpoint;

beforeAll(async () => {
  platform = await startPlatform({ instances: { payments: 2, webhooks: 2 } });
  application = await platform.createApplication();
  endpoint = await createWebhookEndpoint(owner(), application);
});
afterAll(async () => {
  await platform.stop();
  await endpoint.receiver.close();
});

const owner = () => platform.admin.as(platform.owner.session);

async function createPayment(environment: Environment, of = application): Promise<string> {
  const api = apiClient(platform.baseUrl[environment], of.keys[environment]);
  const created = await api.create({ amount: 1_999, currency: 'EUR' }, randomBytes(8).toString('hex'));
  expect(created.status).toBe(201);
  return created.body.id;
}

async function paymentIds(session = platform.owner.session): Promise<string[]> {
  const { body } = await platform.admin.as(session).call(ADMIN_ROUTES.listPayments, {});
  return body.data.map(({ id }) => id).toSorted();
}

/** Payments of which webhooks stores anything. */
async function storedByWebhooks(): Promise<string[]> {
  const [events, deliveries] = await Promise.all([
    owner().call(ADMIN_ROUTES.listEvents, { limit: 100 }),
    owner().call(ADMIN_ROUTES.listDeliveries, { limit: 100 }),
  ]);
  const stored = [...events.body.data, ...deliveries.body.data].map(({ payment_id }) => payment_id);
  return [...new Set(stored)].toSorted();
}

const received = (paymentId: string) =>
  endpoint.receiver.received.some(
    ({ body }) => body.data.id === paymentId && body.type === 'payment.created',
  );

it('a reset of the sandbox deletes everything of the sandbox from before, touches nothing else, and restores nothing', {
  timeout: TIMEOUT_MS,
}, async () => {
  const other = await platform.createTeam();
  const otherPayment = await createPayment('sandbox', await platform.createApplication(other));
  const live = await createPayment('live');
  const deleted = [await createPayment('sandbox'), await createPayment('sandbox')];
  await eventually('the payments are delivered', () => deleted.every(received), { timeoutMs: LONG_MS });

  const headers = { [HEADERS.idempotencyKey]: randomUUID() };
  const requested = await owner().call(ADMIN_ROUTES.resetSandbox, {}, { headers });
  expect(requested).toMatchObject({ status: 202, body: { status: 'in_progress', completed_at: null } });
  await eventually(
    'the reset is completed',
    async () => (await owner().call(ADMIN_ROUTES.getSandboxReset, {})).body.status === 'completed',
    { timeoutMs: LONG_MS },
  );
  const repeated = await owner().call(ADMIN_ROUTES.resetSandbox, {}, { headers });
  expect(repeated).toMatchObject({ status: 202, body: { id: requested.body.id, status: 'completed' } });

  expect(await paymentIds()).toEqual([live]);
  expect(await storedByWebhooks()).toEqual([live]);
  expect(await paymentIds(other.owner.session)).toEqual([otherPayment]);

  const later = await createPayment('sandbox');
  await eventually('the later payment is delivered', () => received(later), { timeoutMs: LONG_MS });
  for (const webhooks of platform.instances.webhooks) await webhooks.stop();
  for (const webhooks of platform.instances.webhooks) await webhooks.start();
  const last = await createPayment('sandbox');
  await eventually('an event arrives after the restart', () => received(last), { timeoutMs: LONG_MS });
  const kept = [live, later, last].toSorted();
  expect(await storedByWebhooks()).toEqual(kept);
  expect(await paymentIds()).toEqual(kept);
});

it('a reset of the sandbox is recorded once in the audit log, which keeps the records of the deleted payments', async () => {
  const recordsOf = async (action: 'sandbox.reset' | 'payment.created') =>
    (await owner().call(ADMIN_ROUTES.listRecords, { action, environment: 'sandbox' })).body.data;
  await expect.poll(() => recordsOf('payment.created'), { timeout: LONG_MS }).toHaveLength(4);
  await expect.poll(() => recordsOf('sandbox.reset'), { timeout: LONG_MS }).not.toEqual([]);
  const [record, ...more] = await recordsOf('sandbox.reset');
  expect(record).toMatchObject({
    actor: { type: 'member', id: platform.owner.id },
    target: { type: 'team', id: platform.team.id },
  });
  expect(more).toEqual([]);
});

it('a reset of the sandbox leaves a reconciliation of usage without differences', {
  timeout: TIMEOUT_MS,
}, async () => {
  const day = new Date().toISOString().slice(0, 10);
  const { code, output } = await reconcileUsage(platform, { from: day, to: day });
  expect(output).toContain('Not compared, because the sandbox was reset');
  expect(code).toBe(0);
});
