import { publishText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import {
  type DeliveryChange,
  LIVE_SUBJECTS,
  type WebhookEndpointChange,
} from '@tollgate/contracts/webhooks/live-changes';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/**
 * Publishes changes to open pages after they are stored: at most once, without waiting. Messages are dropped while NATS is down.
 */
export interface Announce {
  /** The delivery was created, attempted, or changed by a member. */
  delivery(delivery: Delivery): void;
  /** The endpoint changed, or many of its deliveries changed at once. */
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
