import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Ends the pending deliveries to an endpoint that nothing is sent to: canceled when it is deleted, skipped while it is disabled. A crash before it, or an event
 * that was fanned out at the same time, leaves deliveries pending that are never sent: the dispatcher, which finds them due, calls this too.
 */
export async function endPending(
  { deliveries, announce }: Pick<Context, 'deliveries' | 'announce'>,
  endpoint: Endpoint,
): Promise<void> {
  const { id, teamId, deletedAt, disabled } = endpoint;
  if (deletedAt === null && disabled === null) return;
  const status = deletedAt === null ? 'skipped' : 'canceled';
  const count = await deliveries.endPending({ teamId, endpointId: id }, status);
  if (count > 0) announce.endpoint(endpoint);
}
