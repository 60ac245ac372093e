import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import { sendNow } from '../endpoints/send-now.ts';
import { prepareRecovery } from './prepare-recovery.ts';

/** Retries the failed deliveries created since then. Resolves to their number. Throws what `prepareRecovery` throws. */
export async function recoverEndpoint(
  context: Context,
  actor: Actor,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<number> {
  const endpoint = await prepareRecovery(context, actor, endpointId, {
    action: 'webhook_endpoint.recovered',
    what: 'recover webhook endpoints',
    parameters: { since: since.toISOString() },
  });
  const scope = { teamId: actor.team_id, endpointId };
  const count = await context.deliveries.resume(scope, 'failed', since, new Date(context.clock.now()));
  context.announce.endpoint(endpoint);
  await sendNow(context, endpoint);
  return count;
}
