import { Problem } from '@tollgate/contracts/problem';
import type { Context } from '../context.ts';
import type { Delivery } from './delivery.ts';

/** Returns the team's delivery. Throws `not-found`, also for another team's delivery. */
export async function findDelivery(
  { deliveries }: Pick<Context, 'deliveries'>,
  teamId: string,
  deliveryId: string,
): Promise<Delivery> {
  const delivery = await deliveries.find(teamId, deliveryId);
  if (!delivery) throw new Problem('not-found', `Your team has no delivery ${deliveryId}.`);
  return delivery;
}
