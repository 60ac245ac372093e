import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { endPending } from './end-pending.ts';
import { deleted } from './endpoint.ts';

/** Deletes the endpoint permanently and cancels its pending deliveries. Its deliveries stay readable. Throws what `changeEndpoint` throws. */
export async function deleteEndpoint(context: Context, actor: Actor, request: EndpointRef): Promise<void> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.deleted',
    what: 'delete webhook endpoints',
    apply: deleted,
  });
  await endPending(context, endpoint);
}
