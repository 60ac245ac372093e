import type { Actor } from '@tollgate/contracts/accounts/actor';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { checkUrl } from './check-url.ts';
import { type Endpoint, type EndpointFields, withFields } from './endpoint.ts';

/** Changes the fields that are given. Throws what `changeEndpoint` throws, and `invalid-request` for the URL and the description. */
export async function updateEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef & { fields: Partial<EndpointFields> },
): Promise<Endpoint> {
  const { fields } = request;
  return changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.updated',
    what: 'change webhook endpoints',
    async apply(before, now) {
      requireNoCardNumber('/description', [fields.description ?? '']);
      if (fields.url === undefined) return withFields(before, fields, now);
      const url = await checkUrl(context, fields.url, before.environment);
      return withFields(before, { ...fields, url }, now);
    },
  });
}
