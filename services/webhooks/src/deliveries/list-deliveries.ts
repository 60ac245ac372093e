import type { Page, PageRequest } from '@tollgate/store/keyset-page';
import type { Context } from '../context.ts';
import type { Delivery } from './delivery.ts';
import type { DeliveryFilter } from './delivery-store.ts';

/**
 * A page of the team's deliveries. Those that are pending are found by endpoint, as the dispatcher finds them, where they are few: among a million that
 * were delivered the history would be read for them. Many are soon found in it, and one event or payment has few deliveries anyway.
 */
export async function listDeliveries(
  { deliveries, endpoints }: Pick<Context, 'deliveries' | 'endpoints'>,
  teamId: string,
  filter: DeliveryFilter,
  request: PageRequest,
): Promise<Page<Delivery>> {
  const { status, eventId, paymentId, endpointId } = filter;
  if (status !== 'pending' || eventId !== undefined || paymentId !== undefined)
    return deliveries.list(teamId, filter, request);
  const endpointIds = endpointId === undefined ? await endpoints.listIds(teamId) : [endpointId];
  return (
    (await deliveries.listFewPending(teamId, endpointIds, filter, request)) ??
    deliveries.list(teamId, filter, request)
  );
}
