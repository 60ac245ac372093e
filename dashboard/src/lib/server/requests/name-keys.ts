import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import type { RequestRow } from '#lib/requests/request-row.ts';
import { readKeys } from '#lib/server/applications/read-keys.ts';

/** The requests of one page with the names of their keys. */
export async function nameKeys(
  admin: AdminClient,
  requests: readonly LoggedRequest[],
): Promise<RequestRow[]> {
  const keys = await readKeys(
    admin,
    requests.map(({ key_id }) => key_id),
  );
  return requests.map((request) => ({ ...request, keyName: keys.get(request.key_id)?.name ?? null }));
}
