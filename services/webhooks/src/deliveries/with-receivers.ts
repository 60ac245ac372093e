import type { Context } from '../context.ts';
import type { Receiver } from '../endpoints/endpoint-store.ts';
import type { Delivery } from './delivery.ts';

/** A delivery with what its endpoint has now, or had when it was deleted. */
export interface AddressedDelivery {
  delivery: Delivery;
  /** Null when the endpoint is not stored, which happens only after a partial restore of a backup. */
  receiver: Receiver | null;
}

/** Adds the endpoints to the team's deliveries, with one read. */
export async function withReceivers(
  { endpoints }: Pick<Context, 'endpoints'>,
  teamId: string,
  deliveries: readonly Delivery[],
): Promise<AddressedDelivery[]> {
  const endpointIds = [...new Set(deliveries.map(({ endpoint_id }) => endpoint_id))];
  const receivers = await endpoints.findReceivers(teamId, endpointIds);
  return deliveries.map((delivery) => ({ delivery, receiver: receivers.get(delivery.endpoint_id) ?? null }));
}

export async function withReceiver(
  context: Pick<Context, 'endpoints'>,
  delivery: Delivery,
): Promise<AddressedDelivery> {
  const [addressed] = await withReceivers(context, delivery.team_id, [delivery]);
  return addressed as AddressedDelivery;
}
