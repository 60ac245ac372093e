import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { findEndpoint, requireEnabled } from '../endpoints/find-endpoint.ts';
import { decideDelivery } from './decide-delivery.ts';

/** Sends it again now, under the same event id, with a whole schedule of retries. Throws as `decideDelivery`, and `conflict` while the endpoint is disabled. */
export async function resendDelivery(
  context: Context,
  actor: Actor,
  { deliveryId }: { deliveryId: string },
): Promise<Delivery> {
  const delivery = await decideDelivery(context, actor, deliveryId, {
    action: 'delivery.resent',
    what: 'resend deliveries',
    async decide({ endpointId }, now) {
      requireEnabled(await findEndpoint(context, actor.team_id, endpointId));
      return { status: 'pending', roundFailures: 0, nextAttemptAt: now };
    },
  });
  context.dispatcher.wake(delivery.endpointId);
  return delivery;
}
