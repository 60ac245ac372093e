import type {
  deliveryRoutes,
  eventRoutes,
  webhookEndpointRoutes,
} from '@tollgate/contracts/admin-api/webhooks-routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import * as webhooks from '@tollgate/contracts/webhooks/rpc';
import { eventually } from '@tollgate/test-kit/eventually';
import { createTestApplication } from './create-test-application.ts';
import { plain, type Requests, type Scene } from './prepared-request.ts';

const LONG_AGO = '2020-01-01T00:00:00Z';

const ofEndpoint =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { endpoint_id: (await createTestEndpoint(scene, environment)).id, ...more },
  });

const ofDelivery =
  <More extends object>(more: More) =>
  async (scene: Scene, { environment }: { environment: Environment }) => ({
    request: { delivery_id: (await createDelivery(scene, environment)).id, ...more },
  });

export const webhookEndpointRequests: Requests<typeof webhookEndpointRoutes> = {
  listEndpoints: plain({}),
  createEndpoint: async (scene, { environment }) => {
    const { id } = await createTestApplication(scene);
    return { request: newEndpoint(id, environment) };
  },
  getEndpoint: ofEndpoint({}),
  updateEndpoint: ofEndpoint({ description: 'Changed' }),
  deleteEndpoint: ofEndpoint({}),
  getEndpointHealth: ofEndpoint({}),
  enableEndpoint: ofEndpoint({}),
  disableEndpoint: ofEndpoint({ reason: 'Asked for' }),
  rotateSecret: ofEndpoint({ overlap_s: 60 }),
  revealSecret: ofEndpoint({}),
  checkSignature: ofEndpoint({ webhook_id: '', webhook_timestamp: '', webhook_signature: '', body: '' }),
  sendTestEvent: ofEndpoint({ event_type: 'payment.created' as const }),
  recoverEndpoint: ofEndpoint({ since: LONG_AGO }),
  countRecovery: ofEndpoint({ since: LONG_AGO }),
  replayMissing: ofEndpoint({ since: LONG_AGO }),
};

export const eventRequests: Requests<typeof eventRoutes> = {
  listEventTypes: plain({}),
  listEvents: plain({}),
  getEvent: async (scene, { environment }) => ({
    request: { event_id: (await createDelivery(scene, environment)).event_id },
  }),
};

export const deliveryRequests: Requests<typeof deliveryRoutes> = {
  listDeliveries: plain({}),
  getDelivery: ofDelivery({}),
  getAttempt: async (scene, { environment }) => {
    const { id } = await createDelivery(scene, environment);
    return { request: { delivery_id: id, attempt_id: await firstAttempt(scene, id) } };
  },
  resendDelivery: ofDelivery({}),
  resendDeliveries: async (scene, { environment }) => {
    const { id: delivery_id } = await createDelivery(scene, environment);
    // A pending one is not resent.
    const { attempts } = await scene.team.owner.call(webhooks.cancelDelivery, { delivery_id });
    return { request: { environment, deliveries: [{ delivery_id, attempts }] } };
  },
  cancelDelivery: ofDelivery({}),
};

/**
 * No server at the URL has a trusted certificate: a delivery is attempted, fails, and stays pending. The port is the
 * other one that live endpoints may have: receivers of other test files listen on 8443.
 */
function newEndpoint(applicationId: string, environment: Environment) {
  return {
    application_id: applicationId,
    environment,
    url: 'https://127.0.0.1/hook',
    event_types: ['payment.created' as const],
  };
}

async function createTestEndpoint(scene: Scene, environment: Environment) {
  const { id } = await createTestApplication(scene);
  return scene.team.owner.call(webhooks.createEndpoint, newEndpoint(id, environment));
}

async function createDelivery(scene: Scene, environment: Environment) {
  const { id } = await createTestEndpoint(scene, environment);
  return scene.team.owner.call(webhooks.sendTestEvent, { endpoint_id: id, event_type: 'payment.created' });
}

async function firstAttempt({ team }: Scene, delivery_id: string): Promise<string> {
  const log = async () => (await team.owner.call(webhooks.getDelivery, { delivery_id })).attempt_log;
  await eventually('an attempt is recorded', async () => (await log()).length > 0);
  return (await log())[0]?.id ?? '';
}
