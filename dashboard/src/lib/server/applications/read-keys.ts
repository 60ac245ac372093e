import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/application';
import type { AdminClient } from '../admin-client.ts';
import { orNothing } from '../or-nothing.ts';

/** Some API keys by their ids, without those that cannot be had. One call each: for as many as a page names. */
export async function readKeys(admin: AdminClient, ids: Iterable<string>): Promise<Map<string, ApiKey>> {
  const keys = await Promise.all(
    [...new Set(ids)].map((key_id) => orNothing(admin.call(ADMIN_ROUTES.getKey, { key_id }))),
  );
  return new Map(keys.flatMap((key) => (key === null ? [] : [[key.id, key]])));
}
