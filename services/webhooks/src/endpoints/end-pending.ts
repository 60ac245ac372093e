import type { Context } from '../context.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Ends what is owed to an endpoint that nothing is sent to: canceled when it is deleted, skipped while it is disabled. A crash before it, or an event
 * that was fanned out at the same time, leaves deliveries pending that are never sent: the dispatcher, which finds them due, calls this too.
 */
export async function endPending(
  { deliveries }: Pick<Context, 'deliveries'>,
  { id, teamId, deletedAt, disabled }: Endpoint,
): Promise<void> {
  const scope = { teamId, endpointId: id };
  if (deletedAt !== null) await deliveries.endPending(scope, 'canceled');
  else if (disabled !== null) await deliveries.endPending(scope, 'skipped');
}
