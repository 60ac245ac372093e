import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import type { Form } from '#lib/server/form.ts';

type EndpointFields = Pick<
  RouteRequest<typeof ADMIN_ROUTES.createEndpoint>,
  'url' | 'event_types' | 'description'
>;

/** The fields of a new or changed endpoint. The service validates what is not empty. */
export function readEndpointForm(form: Form): EndpointFields {
  const isAll = form.text('event_types_choice') === 'all';
  const event_types = (isAll ? [ALL_EVENT_TYPES] : form.all('event_types')) as EndpointFields['event_types'];
  if (event_types.length === 0) form.reject('event_types', 'Select at least one event type.');
  return {
    url: form.required('url', 'Enter the endpoint URL.'),
    event_types,
    description: form.text('description'),
  };
}
