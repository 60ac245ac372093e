import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { endpointState } from '#lib/webhooks/endpoint-state.ts';

export type WebhookHealth = Awaited<ReturnType<typeof readWebhookHealth>>;

const MAX_COUNTED_DELIVERIES = 100;

/** How many endpoints work, and how many deliveries have failed permanently since then. */
export async function readWebhookHealth(
  admin: AdminClient,
  environment: Environment,
  { endpoints, since }: { endpoints: Promise<WebhookEndpoint[]>; since: Date },
) {
  const [known, failed] = await Promise.all([
    endpoints,
    admin.call(ADMIN_ROUTES.listDeliveries, {
      environment,
      status: 'failed',
      created_from: since.toISOString(),
      limit: MAX_COUNTED_DELIVERIES,
    }),
  ]);
  const states = known.map(endpointState);
  const count = (...wanted: (typeof states)[number][]) =>
    states.filter((state) => wanted.includes(state)).length;
  return {
    enabled: count('enabled'),
    failing: count('failing', 'paused'),
    disabled: count('disabled'),
    /** `3` or `100+`. */
    failedDeliveries: `${failed.data.length}${failed.next_cursor === null ? '' : '+'}`,
  };
}
