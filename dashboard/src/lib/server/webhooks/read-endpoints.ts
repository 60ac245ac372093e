import { redirect } from '@sveltejs/kit';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';

const PAGE_SIZE = 100;
/** Five hundred endpoints: a longer list of options is of no use. */
const MAX_PAGES = 5;

/**
 * Reads the endpoint in the address. Ids do not reveal the environment, so a link with the wrong environment redirects.
 */
export async function readEndpoint({
  locals,
  params: { environment, endpoint_id },
}: {
  locals: App.Locals;
  params: { environment: Environment; endpoint_id: string };
}) {
  const endpoint = await locals.admin.call(ADMIN_ROUTES.getEndpoint, { endpoint_id });
  if (endpoint.environment !== environment) {
    redirect(307, `/${endpoint.environment}/webhooks/endpoints/${endpoint_id}`);
  }
  return endpoint;
}

/** The endpoints of one environment by URL, as filter options. */
export async function listEndpointUrls(admin: AdminClient, environment: Environment) {
  const request = { environment, limit: PAGE_SIZE };
  const pages = await Array.fromAsync(pagesOf(admin, ADMIN_ROUTES.listEndpoints, request, MAX_PAGES));
  const endpoints = pages.flatMap(({ data }) => data.map(({ id, url }) => ({ id, url })));
  return endpoints.sort((a, b) => a.url.localeCompare(b.url, 'en'));
}

export type EventTypeChoice = Awaited<ReturnType<typeof listEventTypeChoices>>[number];

/** The event types that an endpoint can subscribe to, without their schemas. */
export async function listEventTypeChoices(admin: AdminClient) {
  const { data } = await admin.call(ADMIN_ROUTES.listEventTypes, {});
  // Descriptions mark field names as in Markdown, which a check box label does not render.
  return data.map(({ type, description }) => ({ type, description: description.replaceAll('`', '') }));
}
