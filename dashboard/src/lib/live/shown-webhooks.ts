import type { LiveNews } from './live-news.ts';

/** What the rows of a page are, which are marked when they are new or have changed. */
export type WebhookRows = 'deliveries' | 'endpoints' | 'events';

/** The things a page is about; whatever is left out may be any. */
export interface WebhookFilter {
  applicationId?: string | undefined;
  endpointId?: string | undefined;
  deliveryId?: string | undefined;
  eventId?: string | undefined;
  paymentId?: string | undefined;
}

/**
 * Whether the page may look different after this; nothing concerns a filter that is null. Of an endpoint's news nobody can tell which of its deliveries changed: they concern all.
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
  // A payment has a new event, which no delivery tells of when no endpoint wants it.
  return (
    rows === 'events' && isWanted(filter.eventId, news.id) && isWanted(filter.paymentId, news.payment.id)
  );
}

/** The row that has changed; null when that cannot be told. */
export function webhookRowOf(rows: WebhookRows, news: LiveNews): string | null {
  if (rows === 'endpoints') return news.about === 'endpoint' ? news.endpointId : null;
  if (rows === 'deliveries') return news.about === 'delivery' ? news.deliveryId : null;
  if (news.about === 'payment') return news.id;
  return news.about === 'delivery' ? news.eventId : null;
}

function isWanted(wanted: string | undefined, id: string): boolean {
  return wanted === undefined || wanted === id;
}
