import { Problem } from '@tollgate/contracts/platform/problem';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import type { Context } from '../context.ts';

/** More than one, so that the next creations find room. */
const CANDIDATES = 20;

/**
 * Limits the deleted endpoints that a team keeps. At the limit, the oldest ones without deliveries are removed: nothing shows
 * their URLs. The check is part of a creation, because a deletion must always succeed: it stops data from leaving.
 *
 * @throws Problem `conflict` when deliveries still show the oldest ones
 */
export async function requireRoomForDeleted(
  { endpoints, deliveries }: Pick<Context, 'endpoints' | 'deliveries'>,
  team_id: string,
): Promise<void> {
  const max = WEBHOOK_LIMITS.deletedEndpointsPerTeam;
  if ((await endpoints.countDeleted(team_id)) < max) return;
  const ids = await endpoints.listDeletedIds(team_id, CANDIDATES);
  const used = await Promise.all(ids.map((endpoint_id) => deliveries.hasAny({ team_id, endpoint_id })));
  const unused = ids.filter((_, index) => !used[index]);
  if (unused.length > 0 && (await endpoints.removeDeleted(team_id, unused)) > 0) return;
  throw new Problem(
    'conflict',
    `The team has deleted ${max} webhook endpoints whose deliveries are still stored. Change an existing endpoint, or wait until old deliveries expire.`,
  );
}
