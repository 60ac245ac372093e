import type { Actor } from '@tollgate/contracts/actor';
import type { Context } from '../context.ts';
import { newDelivery } from '../deliveries/delivery.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { prepareRecovery } from './prepare-recovery.ts';

const PAGE = 500;
/** Pages of one call, which has to be answered within seconds. */
const MAX_PAGES = 10;

/**
 * Sends what the endpoint never got: deliveries that were skipped, and events since then that it was not subscribed to. Throws as `prepareRecovery`.
 *
 * @returns how many; `isComplete` false when there are more events than one call goes through
 */
export async function replayMissing(
  context: Context,
  actor: Actor,
  { endpointId, since }: { endpointId: string; since: Date },
): Promise<{ count: number; isComplete: boolean }> {
  const endpoint = await prepareRecovery(context, actor, endpointId, {
    action: 'webhook_endpoint.replayed',
    what: 'replay missing deliveries',
    parameters: { since: since.toISOString() },
  });
  const scope = { teamId: actor.team_id, endpointId };
  const resumed = await context.deliveries.resume(scope, 'skipped', since, new Date(context.clock.now()));
  const { inserted, isComplete } = await insertMissing(context, endpoint, since);
  context.announce.endpoint(endpoint);
  context.dispatcher.wake(endpointId);
  return { count: resumed + inserted, isComplete };
}

async function insertMissing({ events, deliveries, clock }: Context, endpoint: Endpoint, since: Date) {
  let inserted = 0;
  let after = '';
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const wanted = await events.listWanted(endpoint, {
      types: endpoint.eventTypes,
      since,
      after,
      limit: PAGE,
    });
    const now = new Date(clock.now());
    // Those that are there already stay as they are, whatever came of them.
    const missing = await deliveries.insertMissing(wanted.map((event) => newDelivery(event, endpoint, now)));
    inserted += missing.length;
    if (wanted.length < PAGE) return { inserted, isComplete: true };
    after = (wanted.at(-1) as (typeof wanted)[number]).id;
  }
  return { inserted, isComplete: false };
}
