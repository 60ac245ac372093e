import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { orNull } from '../or-null.ts';

/** When the keys of these applications were last used, by key id. Null when it is unknown. */
export async function readLastUses(
  admin: AdminClient,
  applicationIds: Iterable<string>,
): Promise<Record<string, string> | null> {
  const calls = [...new Set(applicationIds)].map((application_id) =>
    admin.call(ADMIN_ROUTES.keyUses, { application_id }),
  );
  const pages = await orNull(Promise.all(calls));
  return (
    pages &&
    Object.fromEntries(pages.flatMap(({ data }) => data.map((use) => [use.key_id, use.last_used_at])))
  );
}
