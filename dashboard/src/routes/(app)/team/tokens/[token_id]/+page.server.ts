import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { formAction } from '#lib/server/form-action.ts';
import { listMembers } from '#lib/server/members.ts';
import type { Actions, PageServerLoad, RequestEvent } from './$types';

export const load: PageServerLoad = async ({ locals: { admin }, params: { token_id }, parent }) => {
  const [token, members, { me }] = await Promise.all([
    admin.call(ADMIN_ROUTES.getToken, { token_id }),
    listMembers(admin),
    parent(),
  ]);
  const creator = members.find(({ id }) => id === token.created_by);
  return {
    token,
    mayRevoke: allows(ADMIN_ROUTES.createToken, me.role),
    creator: creator ? { id: creator.id, name: creator.name } : null,
    now: Date.now(),
  };
};

export const actions = {
  revoke: formAction(
    ADMIN_ROUTES.revokeToken,
    (_, { params }: RequestEvent) => ({ token_id: params.token_id }),
    'API token revoked.',
  ),
} satisfies Actions;
