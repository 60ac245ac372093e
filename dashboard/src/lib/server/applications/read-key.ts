import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey } from '@tollgate/contracts/applications/application';

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
