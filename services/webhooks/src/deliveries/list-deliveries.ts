import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import type { Context } from '../context.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryFilter } from './delivery-store.ts';

/**
 * Returns a page of the team's deliveries. Few pending deliveries are read through the index of due deliveries: a scan of the history
 * would read a million others. Many pending ones are found quickly in the history, and one event or payment has few deliveries.
 */
export async function listDeliveries(
  { deliveries, endpoints }: Pick<Context, 'deliveries' | 'endpoints'>,
  teamId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page<Delivery>> {
  const { status, event_id, payment_id, endpoint_id } = filter;
  if (status !== 'pending' || event_id !== undefined || payment_id !== undefined)
    return deliveries.list(teamId, filter, request);
  const endpointIds = endpoint_id === undefined ? await endpoints.listIds(teamId) : [endpoint_id];
  return (
    (await deliveries.listFewPending(teamId, endpointIds, filter, request)) ??
    deliveries.list(teamId, filter, request)
  );
}
