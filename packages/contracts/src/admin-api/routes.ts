import { accountRoutes } from './accounts-routes.ts';
import { applicationRoutes, keyRoutes } from './applications-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { paymentRoutes } from './payments-routes.ts';
import type { AdminRoute } from './route.ts';
import { usageRoutes } from './usage-routes.ts';
import { deliveryRoutes, eventRoutes, webhookEndpointRoutes } from './webhooks-routes.ts';

/** Every route of the admin API that maps to one RPC, by operation name. */
export const ADMIN_ROUTES = {
  ...accountRoutes,
  ...applicationRoutes,
  ...keyRoutes,
  ...paymentRoutes,
  ...webhookEndpointRoutes,
  ...eventRoutes,
  ...deliveryRoutes,
  ...usageRoutes,
  ...auditRoutes,
} satisfies Record<string, AdminRoute>;

export type AdminRouteName = keyof typeof ADMIN_ROUTES;

/** All payments as CSV, newest first. The query is that of the list, without `limit` and `cursor`. */
export const PAYMENTS_CSV_PATH = '/admin/v1/payments.csv';

/** Usage over time as CSV, oldest first. The query is that of `queryUsage`, without `limit` and `cursor`. */
export const USAGE_CSV_PATH = '/admin/v1/usage.csv';

/**
 * Server-sent events of the team: payments by event type, `delivery` and `webhook_endpoint` with the ids of what
 * changed, and `heartbeat` each second. The query may select an `environment`.
 */
export const STREAM_PATH = '/admin/v1/stream';
