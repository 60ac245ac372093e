import type { Context } from '../context.ts';
import type { Delivery } from './delivery.ts';

/** A delivery with the URL that its endpoint has now, or had when it was deleted. */
export interface AddressedDelivery {
  delivery: Delivery;
  /** Null when the endpoint is not stored, which happens only after a partial restore of a backup. */
  endpointUrl: string | null;
}

/** Adds the endpoint URLs to the team's deliveries, with one read. */
export async function withEndpointUrls(
  { endpoints }: Pick<Context, 'endpoints'>,
  teamId: string,
  deliveries: readonly Delivery[],
): Promise<AddressedDelivery[]> {
  const endpointIds = [...new Set(deliveries.map(({ endpointId }) => endpointId))];
  const urls =
    endpointIds.length === 0 ? new Map<string, string>() : await endpoints.findUrls(teamId, endpointIds);
  return deliveries.map((delivery) => ({ delivery, endpointUrl: urls.get(delivery.endpointId) ?? null }));
}

export async function withEndpointUrl(
  context: Pick<Context, 'endpoints'>,
  delivery: Delivery,
): Promise<AddressedDelivery> {
  const [addressed] = await withEndpointUrls(context, delivery.teamId, [delivery]);
  return addressed as AddressedDelivery;
}
