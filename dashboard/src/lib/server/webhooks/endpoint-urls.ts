import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { AdminClient } from '#lib/server/admin-client.ts';

export interface EndpointUrl {
  id: string;
  url: string;
}

const PAGE_SIZE = 100;
/** Five hundred endpoints: a longer list of options is of no use. */
const MAX_PAGES = 5;

/** The endpoints of one environment by URL, as filter options. */
export async function listEndpointUrls(admin: AdminClient, environment: Environment): Promise<EndpointUrl[]> {
  const found: EndpointUrl[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const reply: { data: EndpointUrl[]; next_cursor: string | null } = await admin.call(
      ADMIN_ROUTES.listEndpoints,
      { environment, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) },
    );
    found.push(...reply.data.map(({ id, url }) => ({ id, url })));
    cursor = reply.next_cursor;
    if (cursor === null) break;
  }
  return found.sort((a, b) => a.url.localeCompare(b.url, 'en'));
}
