import { publishText } from '@tollgate/bus/announce';
import type { Bus } from '@tollgate/bus/connection';
import {
  type DeliveryChange,
  LIVE_SUBJECTS,
  type WebhookEndpointChange,
} from '@tollgate/contracts/webhooks/live-changes';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/** Publishes changes to open pages after they are stored: at most once, without waiting. Messages are dropped while NATS is down. */
export function announceChanges(bus: Bus) {
  return {
    /** The delivery was created, attempted, or changed by a member. */
    delivery(delivery: Delivery): void {
      const { team_id, environment, application_id, endpoint_id, event_id, payment_id, status } = delivery;
      const change: DeliveryChange = {
        team_id,
        environment,
        application_id,
        delivery_id: delivery._id,
        endpoint_id,
        event_id,
        payment_id,
        status,
        attempts: delivery.attempt_count,
      };
      publishText(bus, LIVE_SUBJECTS.delivery, JSON.stringify(change));
    },

    /** The endpoint changed, or many of its deliveries changed at once. */
    endpoint({ _id: endpoint_id, team_id, environment, application_id }: Endpoint): void {
      const change: WebhookEndpointChange = { team_id, environment, application_id, endpoint_id };
      publishText(bus, LIVE_SUBJECTS.webhookEndpoint, JSON.stringify(change));
    },
  };
}
