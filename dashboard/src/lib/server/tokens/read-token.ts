import { error } from '@sveltejs/kit';
import type { ApiToken } from '@tollgate/contracts/accounts/api-token';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { isId } from '@tollgate/contracts/platform/ids';

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
