import { error } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiToken } from '@tollgate/contracts/api-token';
import { isId } from '@tollgate/contracts/ids';

/** The API token that an address names. */
export async function readToken({
  locals,
  params: { token_id },
}: {
  locals: App.Locals;
  params: { token_id: string };
}): Promise<ApiToken> {
  if (isId('apiToken', token_id)) return locals.admin.call(ADMIN_ROUTES.getToken, { token_id });
  error(404, { message: 'API token not found.', requestId: locals.requestId });
}
