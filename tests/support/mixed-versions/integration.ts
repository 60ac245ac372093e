import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import type { PaymentEventType } from '@tollgate/contracts/payments/events';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import { eventually } from '@tollgate/test-kit/eventually';
import { apiClient } from '../api-client.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../platform/webhook-receiver.ts';
import type { TeamOwner } from './team-owner.ts';
import type { GatewayAddress, VersionedProcesses } from './versioned-processes.ts';

/** The highest allowed limit: the load must not be rate limited. */
const LIMIT = { requests_per_second: 100_000, burst: 200_000 };

/** Every type that payments of the load have, and that the previous version knows. */
const EVENT_TYPES: PaymentEventType[] = [
  'payment.created',
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.canceled',
];

/** An application with a sandbox key and an endpoint for these event types. */
export interface Integration {
  applicationId: string;
  key: { id: string; secret: string };
  endpointId: string;
  receiver: WebhookReceiver;
}

/**
 * Creates an integration through the admin API, and waits until every gateway knows its key. Sends only fields that the
 * previous version knows: requests are closed.
 */
export async function createIntegration(
  { gateways }: VersionedProcesses,
  owner: TeamOwner,
  name: string,
): Promise<Integration> {
  const environment = 'sandbox';
  const scopes = SCOPE_NAMES;
  const { id, version } = await owner.call(ADMIN_ROUTES.createApplication, { name, scopes });
  const application = { application_id: id };
  const limits = { live: LIMIT, sandbox: LIMIT };
  await owner.call(ADMIN_ROUTES.setLimits, { ...application, limits }, { ifMatch: version });
  const created = await owner.call(ADMIN_ROUTES.createKey, { ...application, name, environment });
  const key = { id: created.id, secret: shownOnce(created.secret) };
  await everyGatewayResponds(gateways(), key.secret, 404);
  const receiver = await startWebhookReceiver();
  const endpoint = await owner.call(ADMIN_ROUTES.createEndpoint, {
    ...application,
    environment,
    url: receiver.url,
    event_types: EVENT_TYPES,
  });
  receiver.trust(shownOnce(endpoint.secret));
  return { applicationId: id, key, endpointId: endpoint.id, receiver };
}

/** Changes every resource of an integration that another version may have written. Each gateway learns of it. */
export async function changeIntegration(
  { gateways }: VersionedProcesses,
  owner: TeamOwner,
  { applicationId, key, endpointId }: Integration,
  name: string,
): Promise<void> {
  const application = { application_id: applicationId };
  const scopes = SCOPE_NAMES.filter((scope) => scope !== 'payment:read');
  const read = await owner.call(ADMIN_ROUTES.getApplication, application);
  const renamed = await owner.call(
    ADMIN_ROUTES.renameApplication,
    { ...application, name },
    { ifMatch: read.version },
  );
  const restricted = await owner.call(
    ADMIN_ROUTES.setScopes,
    { ...application, scopes },
    { ifMatch: renamed.version },
  );
  await everyGatewayResponds(gateways(), key.secret, 403);
  const all = { ...application, scopes: SCOPE_NAMES };
  await owner.call(ADMIN_ROUTES.setScopes, all, { ifMatch: restricted.version });
  await everyGatewayResponds(gateways(), key.secret, 404);
  const endpoint = { endpoint_id: endpointId, description: name };
  await owner.call(ADMIN_ROUTES.updateEndpoint, endpoint, { ifMatch: '*' });
  await owner.call(ADMIN_ROUTES.revokeKey, { key_id: key.id });
  await everyGatewayResponds(gateways(), key.secret, 401);
}

/** Waits until every gateway responds with this status when the key reads a payment that does not exist. */
async function everyGatewayResponds(
  gateways: GatewayAddress[],
  secret: string,
  status: number,
): Promise<void> {
  for (const { baseUrl } of gateways) {
    const api = apiClient(baseUrl.sandbox, secret);
    const responds = async () => (await api.read('x')).status === status;
    await eventually(`the gateway responds with ${status}`, responds);
  }
}
