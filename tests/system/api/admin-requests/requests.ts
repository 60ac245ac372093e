import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { accountRequests } from './accounts-requests.ts';
import { applicationRequests, keyRequests } from './applications-requests.ts';
import { auditRequests } from './audit-requests.ts';
import { paymentRequests } from './payments-requests.ts';
import type { Requests } from './prepared-request.ts';
import { usageRequests } from './usage-requests.ts';
import { deliveryRequests, eventRequests, webhookEndpointRequests } from './webhooks-requests.ts';

/** A request for every route of the admin API. A missing route fails the matrix. */
export const PREPARE: Requests<typeof ADMIN_ROUTES> = {
  ...accountRequests,
  ...applicationRequests,
  ...keyRequests,
  ...paymentRequests,
  ...webhookEndpointRequests,
  ...eventRequests,
  ...deliveryRequests,
  ...usageRequests,
  ...auditRequests,
};
