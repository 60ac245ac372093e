import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { orNull } from './or-null.ts';

/** The API keys with these ids, by id: see `readEach`. */
export function readKeys(admin: AdminClient, ids: Iterable<string>) {
  return readEach(ids, (key_id) => admin.call(ADMIN_ROUTES.getKey, { key_id }));
}

/** The same for API tokens. */
export function readTokens(admin: AdminClient, ids: Iterable<string>) {
  return readEach(ids, (token_id) => admin.call(ADMIN_ROUTES.getToken, { token_id }));
}

/**
 * Reads records by id, such as those whose names a page shows, and omits those that fail. It makes one call per record, so use it for the
 * few records of one page.
 */
async function readEach<Row extends { id: string }>(
  ids: Iterable<string>,
  read: (id: string) => Promise<Row>,
): Promise<Map<string, Row>> {
  const rows = await Promise.all([...new Set(ids)].map((id) => orNull(read(id))));
  return new Map(rows.flatMap((row) => (row === null ? [] : [[row.id, row]])));
}
