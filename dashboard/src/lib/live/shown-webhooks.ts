import type { LiveChange } from './live-change.ts';

/** What the rows of a page are. The page highlights rows that are new or have changed. */
export type WebhookRows = 'deliveries' | 'endpoints' | 'events';

/** The subject of a page; an omitted id matches any. */
export interface WebhookFilter {
  applicationId?: string | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  eventId?: string | undefined;
  paymentId?: string | undefined;
}

/**
 * Whether the change may affect what the page shows. A null filter matches nothing. A change to an endpoint does not
 * name the deliveries that it affects, so it matches all of them.
 */
export function concernsWebhooks(
  rows: WebhookRows,
  filter: WebhookFilter | null,
  change: LiveChange,
): boolean {
  if (filter === null) return false;
  if (!isWanted(filter.applicationId, change.applicationId)) return false;
  if (change.about === 'endpoint') return isWanted(filter.endpointId, change.endpointId);
  if (change.about === 'delivery') {
    return (
      isWanted(filter.endpointId, change.endpointId) &&
      isWanted(filter.deliveryId, change.deliveryId) &&
      isWanted(filter.eventId, change.eventId) &&
      isWanted(filter.paymentId, change.paymentId)
    );
  }
  // A payment has a new event. No delivery announces it when no endpoint subscribes to its type.
  return (
    rows === 'events' && isWanted(filter.eventId, change.id) && isWanted(filter.paymentId, change.payment.id)
  );
}

/** Id of the row that has changed; null when unknown. */
export function webhookRowOf(rows: WebhookRows, change: LiveChange): string | null {
  if (rows === 'endpoints') return change.about === 'endpoint' ? change.endpointId : null;
  if (rows === 'deliveries') return change.about === 'delivery' ? change.deliveryId : null;
  if (change.about === 'payment') return change.id;
  return change.about === 'delivery' ? change.eventId : null;
}

function isWanted(wanted: string | undefined, id: string): boolean {
  return wanted === undefined || wanted === id;
}
