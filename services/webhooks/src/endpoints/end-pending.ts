import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Cancels the pending deliveries of a deleted endpoint, and skips those of a disabled one. The dispatcher calls this too, because a
 * crash before this call, or a concurrent fan-out, leaves pending deliveries that are never sent.
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
