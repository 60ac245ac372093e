import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { eventRoutes } from '@tollgate/contracts/admin-api/webhooks-routes';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { isId } from '@tollgate/contracts/platform/ids';
import { type ActiveFilter, activeFilters, type Chip } from '#lib/server/filters/active-filters.ts';
import { listPath, type Typed } from '#lib/server/filters/typed-filters.ts';

/** Names of the filters, as fields of the form and of the address. */
export const EVENT_FILTER_NAMES = ['type', 'application', 'payment'] as const;
export type EventFilterName = (typeof EVENT_FILTER_NAMES)[number];
export type TypedEventFilters = Typed<EventFilterName>;
export type EventFilterErrors = Partial<Record<EventFilterName, string>>;

type Request = Omit<RouteRequest<typeof eventRoutes.listEvents>, 'limit' | 'cursor' | 'environment'>;

/** The API query, or the errors to correct first. */
export function parseEventFilters(typed: TypedEventFilters): { request: Request; errors: EventFilterErrors } {
  const errors: EventFilterErrors = {};
  const request: Request = {};
  const type = readEventType(typed, errors);
  if (type !== undefined) request.type = type;
  const paymentId = readPaymentId(typed, errors);
  if (paymentId !== undefined) request.payment_id = paymentId;
  if (isId('application', typed.application)) request.application_id = typed.application;
  else if (typed.application !== '') errors.application = 'Select an application.';
  return { request, errors };
}

/** Undefined when the filter is not set; problems are added to `errors`. */
export function readEventType(
  { type }: { type: string },
  errors: { type?: string },
): PaymentEventType | undefined {
  const known = PAYMENT_EVENT_TYPES.find((candidate) => candidate === type);
  if (!known && type !== '') errors.type = 'Select an event type.';
  return known;
}

/** The same for a payment id. */
export function readPaymentId(
  { payment }: { payment: string },
  errors: { payment?: string },
): string | undefined {
  if (payment === '') return undefined;
  if (isId('payment', payment)) return payment;
  errors.payment = 'Enter a payment ID: pay_ followed by 26 characters.';
  return undefined;
}

/** The active filters, in the order of the form. `applicationNames` is by id. */
export function activeEventFilters(
  typed: TypedEventFilters,
  {
    environment,
    applicationNames,
  }: { environment: Environment; applicationNames: ReadonlyMap<string, string> },
): ActiveFilter[] {
  const chips: Chip<EventFilterName>[] = [
    { label: 'Event type', names: ['type'], say: ({ type }) => type },
    {
      label: 'Application',
      names: ['application'],
      say: ({ application }) => applicationNames.get(application) ?? application,
    },
    { label: 'Payment', names: ['payment'], say: ({ payment }) => payment },
  ];
  return activeFilters(chips, typed, (others) => eventsPath(environment, others));
}

export function eventsPath(environment: Environment, typed: TypedEventFilters): string {
  return listPath(`/${environment}/webhooks/events`, EVENT_FILTER_NAMES, typed);
}
