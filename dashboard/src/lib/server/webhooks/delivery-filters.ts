import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { DELIVERY_STATUSES } from '@tollgate/contracts/webhooks/webhook';
import { labelsOf } from '#lib/format/label-of.ts';
import { choiceFilter, type FiltersOf, idFilter } from '#lib/server/list/filter.ts';
import { createdRange } from '#lib/server/list/time-range.ts';
import { eventTypeFilter, paymentFilter } from './event-filters.ts';

export const DELIVERY_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listDeliveries> = [
  idFilter(
    'webhookEndpoint',
    { name: 'endpoint', label: 'Endpoint', control: 'select', any: 'All' },
    'Select an endpoint.',
  ),
  choiceFilter({ name: 'status', label: 'Status', labels: labelsOf(DELIVERY_STATUSES) }, 'Select a status.'),
  eventTypeFilter((event_type) => ({ event_type })),
  paymentFilter,
  createdRange,
];
