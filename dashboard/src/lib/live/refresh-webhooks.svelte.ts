import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import { type Fresh, type RefreshPace, refreshShown } from './refresh-shown.svelte.ts';
import { concernsWebhooks, type WebhookFilter, type WebhookRows, webhookRowOf } from './shown-webhooks.ts';

const ANNOUNCEMENTS: Record<WebhookRows, { one: string; many: string }> = {
  deliveries: { one: 'Delivery updated.', many: 'deliveries updated.' },
  endpoints: { one: 'Webhook endpoint updated.', many: 'webhook endpoints updated.' },
  events: { one: 'New event received.', many: 'new events received.' },
};

/**
 * Reruns the loads that depend on `WEBHOOKS_KEY` when a delivery, an endpoint or an event that concerns the page has
 * changed. `rows` names the kind of ids in `fresh.ids`. `concerns` is evaluated for each change, so that it follows
 * client-side navigation. A change must match all of its ids; null matches nothing (a closed drawer). Without `concerns`,
 * every change of the team in this environment matches. With the rows `events`, a new payment event also counts, because
 * it may have no delivery.
 */
export function refreshWebhooks(
  options: RefreshPace & { rows: WebhookRows; concerns?: () => WebhookFilter | null },
): Fresh {
  const { rows, concerns = () => ({}) } = options;
  const { one, many } = ANNOUNCEMENTS[rows];
  return refreshShown(options, {
    key: WEBHOOKS_KEY,
    concerns: (change) => concernsWebhooks(rows, concerns(), change),
    rowOf: (change) => webhookRowOf(rows, change),
    announce: (count) => (count === 1 ? one : `${count} ${many}`),
  });
}
