import { newId } from '@tollgate/contracts/platform/ids';
import * as contract from '@tollgate/contracts/webhooks/rpc';
import type { CreatedWebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { describeIdempotency } from '@tollgate/service/test/idempotency';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_TYPES, type Harness, type Service, startHarness } from './harness.ts';

let harness: Harness;
let service: Service;

beforeAll(async () => {
  harness = await startHarness();
  service = await harness.startService();
});
afterAll(() => harness.stop());

async function arrange() {
  const application = await harness.anApplication();
  const request = {
    application_id: application.id,
    environment: 'sandbox' as const,
    url: 'http://127.0.0.1:9/hooks',
    event_types: ALL_TYPES,
  };
  return { actor: application.admin, request };
}

describeIdempotency<CreatedWebhookEndpoint>('creating a webhook endpoint', async () => {
  const { actor, request } = await arrange();
  return {
    harness,
    idempotency: service.app.context.idempotency,
    actor,
    method: contract.createEndpoint,
    request,
    other: { ...request, description: 'Orders' },
    newId: () => newId('webhookEndpoint'),
    idOf: ({ id }) => id,
    replayOf: (endpoint) => ({ ...endpoint, secret: null }),
  };
});

it('a deleted endpoint is not created again with its key, also if a crash interrupted the creation', async () => {
  const { actor, request } = await arrange();
  const create = () => harness.call(actor, contract.createEndpoint, request, { idempotencyKey: 'k' });
  const { id } = await create();
  await harness.call(actor, contract.deleteEndpoint, { endpoint_id: id });
  await expect(create()).rejects.toThrow('no longer exists');
  const crashed = { $set: { completed: false } };
  await service.connection.collection('idempotency_keys').updateOne({ resource_id: id }, crashed);
  await expect(create()).rejects.toThrow('no longer exists');
});
