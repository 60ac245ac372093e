import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { orNull } from '#lib/server/or-null.ts';

/**
 * The names of API tokens by id, without those that this member may not read. It makes one call per token, so use it for
 * the few tokens of one page.
 */
export async function readTokenNames(
  admin: AdminClient,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const tokens = await Promise.all(
    [...new Set(ids)].map((token_id) => orNull(admin.call(ADMIN_ROUTES.getToken, { token_id }))),
  );
  return new Map(tokens.flatMap((token) => (token === null ? [] : [[token.id, token.name]])));
}
