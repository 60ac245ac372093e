import type { RouteRequest } from '@tollgate/contracts/admin-api/route';
import type { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Form } from '#lib/server/form.ts';

type EndpointFields = Pick<
  RouteRequest<typeof ADMIN_ROUTES.createEndpoint>,
  'url' | 'event_types' | 'description'
>;

/**
 * The fields of a new or changed endpoint, and errors for required fields that are empty. The service validates the
 * rest.
 */
export function readEndpointForm(form: Form): { fields: EndpointFields; errors: Record<string, string> } {
  const errors: Record<string, string> = {};
  const url = form.text('url');
  if (url === '') errors['url'] = 'Enter the endpoint URL.';
  const eventTypes = form.all('event_types') as EndpointFields['event_types'];
  if (eventTypes.length === 0) errors['event_types'] = 'Select at least one event type.';
  return { fields: { url, event_types: eventTypes, description: form.text('description') }, errors };
}
