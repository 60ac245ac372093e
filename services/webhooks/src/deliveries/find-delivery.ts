import type { Actor } from '@tollgate/contracts/accounts/actor';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import type { Context } from '../context.ts';
import type { Delivery } from './delivery.ts';

/** Returns the team's delivery. Throws `not-found`, also for another team's delivery, and `forbidden` outside the actor's environments. */
export async function findDelivery(
  { deliveries }: Pick<Context, 'deliveries'>,
  actor: Actor,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await deliveries.find(actor.team_id, deliveryId);
  if (!delivery) throw new Problem('not-found', `Your team has no delivery ${deliveryId}.`);
  requireEnvironment(actor, delivery.environment);
  return delivery;
}
