import type { AdminClient } from '@tollgate/admin-client/admin-client';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import { readKeys } from '#lib/server/read-each.ts';

export type RequestRow = Awaited<ReturnType<typeof nameKeys>>[number];

/** The requests of one page with the names of their keys; null for a name that could not be read. */
export async function nameKeys(admin: AdminClient, requests: readonly LoggedRequest[]) {
  const ids = requests.map(({ key_id }) => key_id);
  const keys = await readKeys(admin, ids);
  return requests.map((request) => ({ ...request, keyName: keys.get(request.key_id)?.name ?? null }));
}
