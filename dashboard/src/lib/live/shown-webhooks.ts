import type { LiveChange } from './live-change.ts';

/** What the rows of a page are. The page highlights rows that are new or have changed. */
export type WebhookRows = 'deliveries' | 'endpoints' | 'events';

/** The subject of a page; an omitted id matches any. */
export type WebhookFilter = { [Name in Exclude<keyof LiveChange, 'about'>]?: string | undefined };

/**
 * Whether the change may affect what the page shows. A null filter matches nothing. A change to an endpoint does not
 * name the deliveries that it affects, so it matches all of them.
 */
export function concernsWebhooks(
  rows: WebhookRows,
  filter: WebhookFilter | null,
  change: LiveChange,
): boolean {
  // A payment has a new event. No delivery announces it when no endpoint subscribes to its type.
  if (filter === null || (change.about === 'payment' && rows !== 'events')) return false;
  return (Object.keys(filter) as (keyof WebhookFilter)[]).every((name) => {
    const [wanted, changed] = [filter[name], change[name]];
    return wanted === undefined || changed === undefined || wanted === changed;
  });
}

/** Id of the row that has changed; null when unknown. */
export function webhookRowOf(rows: WebhookRows, change: LiveChange): string | null {
  // A delivery also names its endpoint, which did not change.
  if (rows === 'endpoints') return change.about === 'endpoint' ? (change.endpointId ?? null) : null;
  return (rows === 'deliveries' ? change.deliveryId : change.eventId) ?? null;
}
