/** A delivery was queued, attempted, or changed by a member. */
export interface DeliveryChange {
  about: 'delivery';
  applicationId: string;
  deliveryId: string;
  endpointId: string;
  eventId: string;
  paymentId: string;
}

/** An endpoint changed, or many of its deliveries changed at once. */
export interface EndpointChange {
  about: 'endpoint';
  applicationId: string;
  endpointId: string;
}

/** Parses the data of a server-sent event; null for one that this page does not know. */
export function readDeliveryChange(data: string): DeliveryChange | null {
  try {
    const { application_id, delivery_id, endpoint_id, event_id, payment_id } = JSON.parse(data);
    if (typeof delivery_id !== 'string') return null;
    return {
      about: 'delivery',
      applicationId: application_id,
      deliveryId: delivery_id,
      endpointId: endpoint_id,
      eventId: event_id,
      paymentId: payment_id,
    };
  } catch {
    return null;
  }
}

/** The same for an endpoint. */
export function readEndpointChange(data: string): EndpointChange | null {
  try {
    const { application_id, endpoint_id } = JSON.parse(data);
    if (typeof endpoint_id !== 'string') return null;
    return { about: 'endpoint', applicationId: application_id, endpointId: endpoint_id };
  } catch {
    return null;
  }
}
