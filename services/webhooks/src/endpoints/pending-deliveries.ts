import type { Context } from '../context.ts';
import type { Destination } from '../deliveries/delivery.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Cancels the pending deliveries of a deleted endpoint, and skips those of a disabled one. The dispatcher calls this too, because a
 * crash before this call, or a concurrent fan-out, leaves pending deliveries that are never sent.
 */
export async function endPending(
  { deliveries, announce }: Pick<Context, 'deliveries' | 'announce'>,
  endpoint: Endpoint,
): Promise<void> {
  const { _id: endpoint_id, team_id, deleted_at, disabled } = endpoint;
  if (deleted_at === null && disabled === null) return;
  const status = deleted_at === null ? 'skipped' : 'canceled';
  const count = await deliveries.endPending({ team_id, endpoint_id }, status);
  if (count > 0) announce.endpoint(endpoint);
}

/** Sends what is due at the endpoint, also during a pause: the member expects an attempt. If it fails, a new pause begins. */
export async function sendNow(
  { endpoints, dispatcher }: Pick<Context, 'endpoints' | 'dispatcher'>,
  destination: Destination,
): Promise<void> {
  await endpoints.endPause(destination.team_id, destination.endpoint_id);
  dispatcher.wake(destination);
}
