import { error } from '@sveltejs/kit';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/applications/application';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { orNull } from '../or-null.ts';

/** More would hide the rest of the page. Handling the first ones reveals the others. */
const KEYS_SHOWN = 5;

/** The key that an address names. A key under the address of another application or environment is not found. */
export async function readKey({
  locals,
  params: { application_id, environment, key_id },
}: {
  locals: App.Locals;
  params: { application_id: string; environment: string; key_id: string };
}): Promise<ApiKey> {
  const key = await locals.admin.call(ADMIN_ROUTES.getKey, { key_id });
  if (key.application_id === application_id && key.environment === environment) return key;
  error(404, 'API key not found in this application and environment.');
}

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
