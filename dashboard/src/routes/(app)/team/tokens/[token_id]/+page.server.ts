import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { formAction } from '#lib/server/form-action.ts';
import { listMembers } from '#lib/server/members.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import { readToken } from '#lib/server/tokens/read-token.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async (event) => {
  const { me } = await event.parent();
  const [token, members] = await Promise.all([readToken(event), listMembers(event.locals.admin)]);
  const creator = members.find(({ id }) => id === token.created_by);
  return {
    token,
    mayRevoke: mayManageTokens(me.role),
    creator: creator ? { id: creator.id, name: creator.name } : null,
    now: Date.now(),
  };
};

export const actions = {
  revoke: formAction(
    ADMIN_ROUTES.revokeToken,
    async (_, event: RequestEvent) => ({ token_id: (await readToken(event)).id }),
    'API token revoked.',
  ),
} satisfies Actions;
