import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { requireEnabled } from '../endpoints/find-endpoint.ts';
import { sendNow } from '../endpoints/send-now.ts';
import { decideDelivery } from './decide-delivery.ts';

/** Sends the delivery again now, under the same event id, with a full retry schedule. Throws what `decideDelivery` throws, and `conflict` when the endpoint is disabled or deleted. */
export async function resendDelivery(
  context: Context,
  actor: Actor,
  { deliveryId }: { deliveryId: string },
): Promise<Delivery> {
  const delivery = await decideDelivery(context, actor, deliveryId, {
    action: 'delivery.resent',
    what: 'resend deliveries',
    async decide({ endpointId }, now) {
      requireEnabled(await requireEndpoint(context, actor.team_id, endpointId));
      return { status: 'pending', roundFailures: 0, nextAttemptAt: now };
    },
  });
  await sendNow(context, { id: delivery.endpointId, teamId: delivery.teamId });
  return delivery;
}

/** Throws `conflict` and not `not-found`: the request names the delivery, which exists. */
async function requireEndpoint(
  { endpoints }: Context,
  teamId: string,
  endpointId: string,
): Promise<Endpoint> {
  const endpoint = await endpoints.find(teamId, endpointId);
  if (endpoint) return endpoint;
  throw new Problem(
    'conflict',
    'The endpoint of this delivery was deleted. Create another endpoint and replay the events that it missed.',
  );
}
