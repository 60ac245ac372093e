import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/applications/application';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { orNull } from '#lib/server/or-null.ts';

/** More would hide the rest of the page. Handling the first ones reveals the others. */
const KEYS_SHOWN = 5;

/** The newest leaked keys that need attention; empty when they are unknown. */
export async function readLeakedKeys(
  admin: AdminClient,
  filter: { environment: Environment; application_id?: string },
): Promise<ApiKey[]> {
  const page = await orNull(
    admin.call(ADMIN_ROUTES.listTeamKeys, { ...filter, leak: 'unhandled', limit: KEYS_SHOWN }),
  );
  return page?.data ?? [];
}
