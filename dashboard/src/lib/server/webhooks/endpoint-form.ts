import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import type { Form } from '#lib/server/form.ts';

type EndpointFields = Pick<
  RouteRequest<typeof ADMIN_ROUTES.createEndpoint>,
  'url' | 'event_types' | 'description'
>;

/** The fields of a new or changed endpoint. The service validates what is not empty. */
export function readEndpointForm(form: Form): EndpointFields {
  const event_types = readEventTypes(form.all('event_types'));
  if (event_types.length === 0) form.reject('event_types', 'Select at least one event type.');
  return {
    url: form.required('url', 'Enter the endpoint URL.'),
    event_types,
    description: form.text('description'),
  };
}

/** Without JavaScript, a form with all types still says so after a member has unchecked one of them. */
function readEventTypes(checked: readonly string[]): EndpointFields['event_types'] {
  const isAll =
    checked.includes(ALL_EVENT_TYPES) && PAYMENT_EVENT_TYPES.every((type) => checked.includes(type));
  const types = isAll ? [ALL_EVENT_TYPES] : checked.filter((type) => type !== ALL_EVENT_TYPES);
  return types as EndpointFields['event_types'];
}
