import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { deliveryRoutes } from '@tollgate/contracts/admin-api/webhooks-routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { DELIVERY_STATUSES } from '@tollgate/contracts/webhooks/webhook';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { parseTimeRange, TIME_RANGE_CHIPS, TIME_RANGE_NAMES } from '#lib/server/filters/time-range.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';
import { DELIVERY_STATUS_LABELS } from '#lib/webhooks/delivery-labels.ts';
import { readEventType, readPaymentId } from './event-filters.ts';

/** Names of the filters, as fields of the form and of the address. */
export const DELIVERY_FILTER_NAMES = ['endpoint', 'status', 'type', 'payment', ...TIME_RANGE_NAMES] as const;
export type DeliveryFilterName = (typeof DELIVERY_FILTER_NAMES)[number];
export type TypedDeliveryFilters = Typed<DeliveryFilterName>;
export type DeliveryFilterErrors = Partial<Record<DeliveryFilterName, string>>;

type Request = Omit<RouteRequest<typeof deliveryRoutes.listDeliveries>, 'limit' | 'cursor' | 'environment'>;

/** The API query, or the errors to correct first. */
export function parseDeliveryFilters(
  typed: TypedDeliveryFilters,
  timeZone: string,
): { request: Request; errors: DeliveryFilterErrors } {
  const errors: DeliveryFilterErrors = {};
  const request: Request = parseTimeRange(typed, timeZone, errors);
  const type = readEventType(typed, errors);
  if (type !== undefined) request.event_type = type;
  const paymentId = readPaymentId(typed, errors);
  if (paymentId !== undefined) request.payment_id = paymentId;
  const status = DELIVERY_STATUSES.find((candidate) => candidate === typed.status);
  if (status) request.status = status;
  else if (typed.status !== '') errors.status = 'Select a status.';
  if (isId('webhookEndpoint', typed.endpoint)) request.endpoint_id = typed.endpoint;
  else if (typed.endpoint !== '') errors.endpoint = 'Select an endpoint.';
  return { request, errors };
}

/** The active filters, in the order of the form. `endpointUrls` is by id. */
export function activeDeliveryFilters(
  typed: TypedDeliveryFilters,
  { environment, endpointUrls }: { environment: Environment; endpointUrls: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<DeliveryFilterName>[] = [
    { label: 'Endpoint', names: ['endpoint'], say: ({ endpoint }) => endpointUrls.get(endpoint) ?? endpoint },
    { label: 'Status', names: ['status'], say: ({ status }) => statusLabel(status) },
    { label: 'Event type', names: ['type'], say: ({ type }) => type },
    { label: 'Payment', names: ['payment'], say: ({ payment }) => payment },
    ...(TIME_RANGE_CHIPS as readonly Chip<DeliveryFilterName>[]),
  ];
  return activeFilters(chips, typed, (others) => deliveriesPath(environment, others));
}

export function deliveriesPath(environment: Environment, typed: TypedDeliveryFilters): string {
  return listPath(`/${environment}/webhooks/deliveries`, DELIVERY_FILTER_NAMES, typed);
}

function statusLabel(status: string): string {
  const known = DELIVERY_STATUSES.find((candidate) => candidate === status);
  return known ? DELIVERY_STATUS_LABELS[known] : status;
}
