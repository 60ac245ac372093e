import type { Actor } from '@tollgate/contracts/accounts/actor';
import type * as contract from '@tollgate/contracts/webhooks/rpc';
import { type RecoveryCounts, WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import { QUERY_TIME_MS } from '@tollgate/store/team-queries';
import type { Static } from 'typebox';
import { findOwn } from '../access/find-own.ts';
import type { Context } from '../context.ts';
import { type Endpoint, typesOf } from '../endpoints/endpoint.ts';

const LIMIT = WEBHOOK_LIMITS.recoveryCount;
/** Pages of events that one count reads: most of the events may have a delivery. */
const MAX_PAGES = 10;

/**
 * Counts what `recoverEndpoint` and `replayMissing` would send, up to a limit. Deliveries that end meanwhile change the result. Throws
 * `not-found`, and the errors of `TeamQueries`.
 */
export async function countRecovery(
  context: Context,
  actor: Actor,
  { endpoint_id, ...request }: Static<typeof contract.countRecovery.request>,
): Promise<RecoveryCounts> {
  const { deliveries, queries } = context;
  const { team_id } = actor;
  const endpoint = await findOwn(context.endpoints, actor, endpoint_id);
  const since = new Date(request.since);
  const scope = { team_id, endpoint_id };
  const count = (status: 'failed' | 'skipped') =>
    queries.run(team_id, () => deliveries.countSince(scope, status, since, LIMIT));
  const [failed, skipped, unsent] = await Promise.all([
    count('failed'),
    count('skipped'),
    queries.run(team_id, () => countWithoutDelivery(context, endpoint, since)),
  ]);
  return {
    failed: upToLimit(failed),
    missing: upToLimit(skipped + unsent.count, unsent.isCut),
  };
}

/** Counts the events that the endpoint would have received if it had subscribed to them when they arrived. */
async function countWithoutDelivery(
  { events, deliveries }: Context,
  endpoint: Endpoint,
  since: Date,
): Promise<{ count: number; isCut: boolean }> {
  const scope = { team_id: endpoint.team_id, endpoint_id: endpoint._id };
  let count = 0;
  let after = '';
  for (let page = 0; page < MAX_PAGES && count < LIMIT; page += 1) {
    const wanted = { types: typesOf(endpoint), since, after, limit: LIMIT, maxTimeMS: QUERY_TIME_MS };
    const ids = (await events.listWanted(endpoint, wanted)).map(({ _id }) => _id);
    count += ids.length - (await deliveries.countOfEvents(scope, ids));
    if (ids.length < LIMIT) return { count, isCut: false };
    after = ids.at(-1) as string;
  }
  return { count, isCut: true };
}

function upToLimit(count: number, isCut = false): RecoveryCounts['failed'] {
  return { count: Math.min(count, LIMIT), at_least: isCut || count >= LIMIT };
}
