import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import { applicationFilter, choiceFilter, type FiltersOf, idFilter } from '#lib/server/list/filter.ts';

const EVENT_TYPE_LABELS = Object.fromEntries(PAYMENT_EVENT_TYPES.map((type) => [type, type])) as Record<
  PaymentEventType,
  string
>;

export function eventTypeFilter<Request extends object>(read: (type: PaymentEventType) => Request) {
  return choiceFilter(
    { name: 'type', label: 'Event type', labels: EVENT_TYPE_LABELS },
    'Select an event type.',
    read,
  );
}

export const paymentFilter = idFilter(
  'payment',
  { name: 'payment', label: 'Payment' },
  'Enter a payment ID: pay_ followed by 26 characters.',
);

export const EVENT_FILTERS: FiltersOf<typeof ADMIN_ROUTES.listEvents> = [
  eventTypeFilter((type) => ({ type })),
  applicationFilter,
  paymentFilter,
];
