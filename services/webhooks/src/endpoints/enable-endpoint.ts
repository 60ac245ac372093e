import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import { changeEndpoint, type EndpointRef } from './change-endpoint.ts';
import { type Endpoint, enabled } from './endpoint.ts';

/** Sends to it again from now on. What it missed is sent when someone recovers or replays it. Throws as `changeEndpoint`. */
export async function enableEndpoint(
  context: Context,
  actor: Actor,
  request: EndpointRef,
): Promise<Endpoint> {
  return changeEndpoint(context, actor, request, {
    action: 'webhook_endpoint.enabled',
    what: 'enable webhook endpoints',
    apply: enabled,
  });
}
