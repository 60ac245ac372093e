import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { deliveryRoutes } from '@tollgate/contracts/admin-api/webhooks-routes';
import { DELIVERY_STATUSES } from '@tollgate/contracts/webhooks/webhook';
import { labelsOf } from '#lib/format/label-of.ts';
import { choiceFilter } from '#lib/server/list/choice-filter.ts';
import type { Filter } from '#lib/server/list/filter.ts';
import { idFilter } from '#lib/server/list/id-filter.ts';
import { createdRange } from '#lib/server/list/time-range.ts';
import { eventTypeFilter, paymentFilter } from './event-filters.ts';

type Request = Omit<RouteRequest<typeof deliveryRoutes.listDeliveries>, 'limit' | 'cursor' | 'environment'>;

export const DELIVERY_FILTERS: readonly Filter<Request>[] = [
  idFilter(
    'webhookEndpoint',
    { name: 'endpoint', label: 'Endpoint', control: 'select', any: 'All' },
    'Select an endpoint.',
    (endpoint_id) => ({ endpoint_id }),
  ),
  choiceFilter(
    { name: 'status', label: 'Status', labels: labelsOf(DELIVERY_STATUSES) },
    'Select a status.',
    (status) => ({ status }),
  ),
  eventTypeFilter((event_type) => ({ event_type })),
  paymentFilter,
  createdRange,
];
