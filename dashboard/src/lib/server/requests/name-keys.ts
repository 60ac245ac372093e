import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { RequestRow } from '#lib/requests/request-row.ts';
import { readEach } from '#lib/server/read-each.ts';

/** The requests of one page with the names of their keys. */
export async function nameKeys(
  admin: AdminClient,
  requests: readonly LoggedRequest[],
): Promise<RequestRow[]> {
  const keys = await readEach(
    requests.map(({ key_id }) => key_id),
    (key_id) => admin.call(ADMIN_ROUTES.getKey, { key_id }),
  );
  return requests.map((request) => ({ ...request, keyName: keys.get(request.key_id)?.name ?? null }));
}
