import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { endPending } from './end-pending.ts';
import { deleted } from './endpoint.ts';

/** Removes it for good; what is pending is canceled. Its deliveries can still be read. Throws as `changeEndpoint`. */
export async function deleteEndpoint(context: Context, actor: Actor, request: EndpointRef): Promise<void> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.deleted',
    what: 'delete webhook endpoints',
    apply: deleted,
  });
  await endPending(context, endpoint);
}
