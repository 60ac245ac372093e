import type { LiveNews } from './live-news.ts';

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
export function concernsWebhooks(rows: WebhookRows, filter: WebhookFilter | null, news: LiveNews): boolean {
  if (filter === null) return false;
  if (!isWanted(filter.applicationId, news.applicationId)) return false;
  if (news.about === 'endpoint') return isWanted(filter.endpointId, news.endpointId);
  if (news.about === 'delivery') {
    return (
      isWanted(filter.endpointId, news.endpointId) &&
      isWanted(filter.deliveryId, news.deliveryId) &&
      isWanted(filter.eventId, news.eventId) &&
      isWanted(filter.paymentId, news.paymentId)
    );
  }
  // A payment has a new event. No delivery announces it when no endpoint subscribes to its type.
  return (
    rows === 'events' && isWanted(filter.eventId, news.id) && isWanted(filter.paymentId, news.payment.id)
  );
}

/** Id of the row that has changed; null when unknown. */
export function webhookRowOf(rows: WebhookRows, news: LiveNews): string | null {
  if (rows === 'endpoints') return news.about === 'endpoint' ? news.endpointId : null;
  if (rows === 'deliveries') return news.about === 'delivery' ? news.deliveryId : null;
  if (news.about === 'payment') return news.id;
  return news.about === 'delivery' ? news.eventId : null;
}

function isWanted(wanted: string | undefined, id: string): boolean {
  return wanted === undefined || wanted === id;
}
