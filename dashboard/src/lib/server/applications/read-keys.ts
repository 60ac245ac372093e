import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/applications/application';
import { orNull } from '../or-null.ts';

/**
 * Reads API keys by id and omits those that fail. It makes one call per key, so use it for the few keys of one page.
 */
export async function readKeys(admin: AdminClient, ids: Iterable<string>): Promise<Map<string, ApiKey>> {
  const keys = await Promise.all(
    [...new Set(ids)].map((key_id) => orNull(admin.call(ADMIN_ROUTES.getKey, { key_id }))),
  );
  return new Map(keys.flatMap((key) => (key === null ? [] : [[key.id, key]])));
}
