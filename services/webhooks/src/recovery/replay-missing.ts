import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Context } from '../context.ts';
import { newDelivery } from '../deliveries/delivery.ts';
import { type Endpoint, typesOf } from '../endpoints/endpoint.ts';
import { sendNow } from '../endpoints/send-now.ts';
import { prepareRecovery } from './prepare-recovery.ts';

/** Events per call, which must return within seconds. The next call continues after them. */
const ONE_CALL = { pages: 10, eventsPerPage: 500 };

/**
 * Sends what the endpoint missed since then: skipped deliveries, and events that it was not subscribed to, starting after the event
 * `after`. Throws what `prepareRecovery` throws.
 *
 * @returns the number sent, and the last event read, after which there may be more; null when there are no more
 */
export async function replayMissing(
  context: Context,
  actor: Actor,
  { endpointId, since, after }: { endpointId: string; since: Date; after: string | null },
  oneCall = ONE_CALL,
): Promise<{ count: number; lastEventId: string | null }> {
  const endpoint = await prepareRecovery(context, actor, endpointId, {
    action: 'webhook_endpoint.replayed',
    what: 'replay missing deliveries',
    parameters: { since: since.toISOString() },
  });
  const scope = { teamId: actor.team_id, endpointId };
  const resumed = await context.deliveries.resume(scope, 'skipped', since, new Date(context.clock.now()));
  const { inserted, lastEventId } = await insertMissing(context, endpoint, { since, after }, oneCall);
  context.announce.endpoint(endpoint);
  await sendNow(context, endpoint);
  return { count: resumed + inserted, lastEventId };
}

async function insertMissing(
  { events, deliveries, clock }: Context,
  endpoint: Endpoint,
  { since, after }: { since: Date; after: string | null },
  { pages, eventsPerPage }: typeof ONE_CALL,
): Promise<{ inserted: number; lastEventId: string | null }> {
  let inserted = 0;
  let lastEventId = after;
  for (let page = 0; page < pages; page += 1) {
    const wanted = await events.listWanted(endpoint, {
      types: typesOf(endpoint),
      since,
      after: lastEventId ?? '',
      limit: eventsPerPage,
    });
    const now = new Date(clock.now());
    // Existing deliveries stay unchanged, with any status.
    const missing = await deliveries.insertMissing(wanted.map((event) => newDelivery(event, endpoint, now)));
    inserted += missing.length;
    if (missing.length > 0)
      await events.keepForDeliveries(
        endpoint.teamId,
        missing.map(({ eventId }) => eventId),
        now,
      );
    if (wanted.length < eventsPerPage) return { inserted, lastEventId: null };
    lastEventId = (wanted.at(-1) as (typeof wanted)[number]).id;
  }
  return { inserted, lastEventId };
}
