import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { idTimeMs } from '@tollgate/contracts/platform/id-time';
import type { AdminClient } from '../admin-client.ts';

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
  for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
    const replayed: { deliveries: number; next_cursor: string | null } = await admin.call(
      ADMIN_ROUTES.replayMissing,
      { ...request, ...(cursor !== null && { cursor }) },
    );
    deliveries += replayed.deliveries;
    cursor = replayed.next_cursor;
    if (cursor === null) return { deliveries, nextTime: null };
  }
  return { deliveries, nextTime: new Date(idTimeMs(cursor as string)).toISOString() };
}
