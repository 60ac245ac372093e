import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { shownOnce } from '@tollgate/contracts/platform/shown-once';
import type { AdminCaller } from './admin-client.ts';
import type { TestApplication } from './test-application.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

/** An endpoint with its receiver, which accepts requests signed with the endpoint's secret. */
export interface TestEndpoint {
  id: string;
  receiver: WebhookReceiver;
}

/**
 * Creates an endpoint through the admin API, as a member does. The default is a sandbox endpoint that subscribes to
 * every event type.
 */
export async function createWebhookEndpoint(
  member: AdminCaller,
  application: TestApplication,
  { environment = 'sandbox', eventTypes = [...PAYMENT_EVENT_TYPES] }: EndpointOptions = {},
): Promise<TestEndpoint> {
  const receiver = await startWebhookReceiver({ environment });
  const { body } = await member.call(ADMIN_ROUTES.createEndpoint, {
    application_id: application.id,
    environment,
    url: receiver.url,
    event_types: eventTypes,
  });
  receiver.trust(shownOnce(body.secret));
  return { id: body.id, receiver };
}

export interface EndpointOptions {
  environment?: Environment;
  eventTypes?: PaymentEventType[];
}
