import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Environment } from '@tollgate/contracts/platform/environment';

const PAGE_SIZE = 100;
/** Five hundred endpoints: a longer list of options is of no use. */
const MAX_PAGES = 5;

/** The endpoints of one environment by URL, as filter options. */
export async function listEndpointUrls(admin: AdminClient, environment: Environment) {
  const found: { id: string; url: string }[] = [];
  const request = { environment, limit: PAGE_SIZE };
  for await (const { data } of pagesOf(admin, ADMIN_ROUTES.listEndpoints, request, MAX_PAGES))
    found.push(...data.map(({ id, url }) => ({ id, url })));
  return found.sort((a, b) => a.url.localeCompare(b.url, 'en'));
}
