import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';

/**
 * Reads the endpoint in the address. Ids do not reveal the environment, so a link with the wrong environment redirects.
 */
export async function readEndpoint({
  locals,
  params,
}: {
  locals: App.Locals;
  params: { environment: Environment; endpoint_id: string };
}): Promise<WebhookEndpoint> {
  const { environment, endpoint_id } = params;
  const endpoint = await locals.admin.call(ADMIN_ROUTES.getEndpoint, { endpoint_id });
  if (endpoint.environment !== environment) {
    redirect(307, `/${endpoint.environment}/webhooks/endpoints/${endpoint_id}`);
  }
  return endpoint;
}
