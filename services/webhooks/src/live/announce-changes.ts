import { publishText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import {
  type DeliveryChange,
  LIVE_SUBJECTS,
  type WebhookEndpointChange,
} from '@tollgate/contracts/live-changes';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/**
 * Tells anyone who looks on at this moment that something has changed, once it is stored. Nothing is waited for and nothing is kept: what is said
 * while NATS is unavailable, nobody hears.
 */
export interface Announce {
  /** It was owed, attempted or decided on. */
  delivery(delivery: Delivery): void;
  /** It looks different to its team, or many of its deliveries changed at once. */
  endpoint(endpoint: Endpoint): void;
}

export function announceChanges(bus: Bus): Announce {
  return {
    delivery(delivery) {
      const change: DeliveryChange = {
        team_id: delivery.teamId,
        environment: delivery.environment,
        application_id: delivery.applicationId,
        delivery_id: delivery.id,
        endpoint_id: delivery.endpointId,
        event_id: delivery.eventId,
        payment_id: delivery.paymentId,
        status: delivery.status,
        attempts: delivery.attemptCount,
      };
      publishText(bus, LIVE_SUBJECTS.delivery, JSON.stringify(change));
    },

    endpoint({ id, teamId, environment, applicationId }) {
      const change: WebhookEndpointChange = {
        team_id: teamId,
        environment,
        application_id: applicationId,
        endpoint_id: id,
      };
      publishText(bus, LIVE_SUBJECTS.webhookEndpoint, JSON.stringify(change));
    },
  };
}
