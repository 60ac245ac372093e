import Type, { type Static } from 'typebox';
import { EnvironmentSchema, Id } from '../platform/schema.ts';
import { DELIVERY_STATUSES } from './webhook.ts';

/**
 * Core NATS subjects on which webhooks publishes changes for open dashboard streams. Messages are neither stored nor
 * resent: consumers that need the current state read the resource.
 */
export const LIVE_SUBJECTS = { delivery: 'live.delivery', webhookEndpoint: 'live.webhook_endpoint' } as const;

/** A delivery was created or attempted, or a member changed it. */
export const DeliveryChange = Type.Object({
  team_id: Id('team'),
  environment: EnvironmentSchema,
  application_id: Id('application'),
  delivery_id: Id('delivery'),
  endpoint_id: Id('webhookEndpoint'),
  event_id: Id('event'),
  payment_id: Id('payment'),
  status: Type.Enum(DELIVERY_STATUSES),
  attempts: Type.Integer({ minimum: 0 }),
});
export type DeliveryChange = Static<typeof DeliveryChange>;

/** An endpoint was created, changed, or disabled, started or stopped failing, or many of its deliveries changed at once. */
export const WebhookEndpointChange = Type.Object({
  team_id: Id('team'),
  environment: EnvironmentSchema,
  application_id: Id('application'),
  endpoint_id: Id('webhookEndpoint'),
});
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>;
