import Type, { type Static } from 'typebox';
import { EnvironmentSchema } from './environment.ts';
import { Id } from './ids.ts';
import { DELIVERY_STATUSES } from './webhook.ts';

/**
 * Subjects of core NATS on which webhooks says what has changed, for people who look on: nothing is stored or sent again, and anyone who needs to
 * know asks for the thing itself.
 */
export const LIVE_SUBJECTS = { delivery: 'live.delivery', webhookEndpoint: 'live.webhook_endpoint' } as const;

/** A delivery was owed, attempted, or decided on. */
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

/** An endpoint was created, changed, disabled, or began or ceased to fail; or many of its deliveries changed at once. */
export const WebhookEndpointChange = Type.Object({
  team_id: Id('team'),
  environment: EnvironmentSchema,
  application_id: Id('application'),
  endpoint_id: Id('webhookEndpoint'),
});
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>;
