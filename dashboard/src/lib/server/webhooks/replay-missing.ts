import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { idTimeMs } from '@tollgate/contracts/platform/id-time';

/** Requests per form submission, while the member waits: each replays thousands of events in about a second. */
const MAX_REQUESTS = 10;

/**
 * Replays the events that the endpoint missed since a time. `nextTime` is where to continue when there are more; else
 * null.
 */
export async function replayMissing(
  admin: Pick<AdminClient, 'call'>,
  request: { endpoint_id: string; since: string },
): Promise<{ deliveries: number; nextTime: string | null }> {
  let deliveries = 0;
  let cursor: string | null = null;
  for await (const replayed of pagesOf(admin, ADMIN_ROUTES.replayMissing, request, MAX_REQUESTS)) {
    deliveries += replayed.deliveries;
    cursor = replayed.next_cursor;
  }
  return { deliveries, nextTime: cursor && new Date(idTimeMs(cursor)).toISOString() };
}
