import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Context } from '../context.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import { decideDelivery } from './decide-delivery.ts';

/** Cancels a pending delivery. Throws what `decideDelivery` throws, and `conflict` when it is not pending. */
export async function cancelDelivery(
  context: Context,
  actor: Actor,
  { deliveryId }: { deliveryId: string },
): Promise<Delivery> {
  return decideDelivery(context, actor, deliveryId, {
    action: 'delivery.canceled',
    what: 'cancel deliveries',
    decide({ status, roundFailures }) {
      if (status !== 'pending')
        throw new Problem('conflict', `Only a pending delivery can be canceled. This delivery is ${status}.`);
      return { status: 'canceled', roundFailures, nextAttemptAt: null };
    },
  });
}
