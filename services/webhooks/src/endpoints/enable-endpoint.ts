import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { type Endpoint, enabled } from './endpoint.ts';
import { sendNow } from './send-now.ts';

/** Enables the endpoint, or ends its pause. Deliveries that it missed are sent by a recovery or a replay. Throws what `changeEndpoint` throws. */
export async function enableEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef,
): Promise<Endpoint> {
  const endpoint = await changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.enabled',
    what: 'enable webhook endpoints',
    apply: enabled,
  });
  await sendNow(context, endpoint);
  return { ...endpoint, health: { ...endpoint.health, pausedUntil: null } };
}
