import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { idTimeMs } from '@tollgate/contracts/id-time';
import type { AdminClient } from '../admin-client.ts';

/** Of one form, which someone waits for: each gets through thousands of events, in a second or so. */
const MAX_REQUESTS = 10;

/** Replays what the endpoint missed since then. `nextTime` is where another go must begin when this one did not get through; else null. */
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
