import type { AdminRoute, RouteReply } from '@tollgate/contracts/admin-api/route';
import type { AdminClient, SentRequest } from './admin-client.ts';

/** Reads the pages of a list one after another. Ends after the last, or after `maxPages`. */
export async function* pagesOf<Route extends AdminRoute>(
  admin: Pick<AdminClient, 'call'>,
  route: Route,
  request: SentRequest<Route>,
  maxPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<RouteReply<Route>> {
  let next: { cursor?: string } | null = {};
  for (let page = 0; next !== null && page < maxPages; page += 1) {
    const reply: RouteReply<Route> = await admin.call(route, { ...request, ...next });
    yield reply;
    const { next_cursor } = reply as { next_cursor?: string | null };
    next = next_cursor ? { cursor: next_cursor } : null;
  }
}
