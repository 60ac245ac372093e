import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import { type Fresh, type RefreshPace, refreshShown } from './refresh-shown.svelte.ts';
import { concernsWebhooks, type WebhookFilter, type WebhookRows, webhookRowOf } from './shown-webhooks.ts';

const ANNOUNCEMENTS: Record<WebhookRows, { one: string; many: string }> = {
  deliveries: { one: 'Delivery updated.', many: 'deliveries updated.' },
  endpoints: { one: 'Webhook endpoint updated.', many: 'webhook endpoints updated.' },
  events: { one: 'New event received.', many: 'new events received.' },
};

/**
 * Runs the loads that depend on `WEBHOOKS_KEY` again when a delivery, an endpoint or an event that concerns the page has changed: at most once every
 * `everyMs`, and once after a time without connection. Call it while a component is made; it ends with the component.
 *
 * ```svelte
 * const fresh = refreshWebhooks({
 *   rows: 'deliveries',
 *   everyMs: 1_000,
 *   concerns: () => ({ endpointId: data.endpoint.id }),
 * });
 * ```
 *
 * `rows` says what `fresh.ids` are ids of: `<tr class={[fresh.ids.has(delivery.id) && 'fresh']}>`. `concerns` is asked at each news, so that it
 * follows a page that goes on to another thing; all of it must hold, null is nothing at the moment (a closed drawer), and without it everything of the team
 * in this environment concerns the page. With the rows `events` a payment's new event counts too, which may have no delivery. Put
 * `fresh.announcement` into `<p class="sr-only" role="status">`, and `depends(WEBHOOKS_KEY)` into the load.
 */
export function refreshWebhooks(
  options: RefreshPace & { rows: WebhookRows; concerns?: () => WebhookFilter | null },
): Fresh {
  const { rows, concerns = () => ({}) } = options;
  const { one, many } = ANNOUNCEMENTS[rows];
  return refreshShown(options, {
    key: WEBHOOKS_KEY,
    concerns: (news) => concernsWebhooks(rows, concerns(), news),
    rowOf: (news) => webhookRowOf(rows, news),
    announce: (count) => (count === 1 ? one : `${count} ${many}`),
  });
}
