import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { readForm, submitForm } from '#lib/server/form.ts';
import { listMembers } from '#lib/server/members.ts';
import { readToken } from '#lib/server/tokens/read-token.ts';
import type { Actions, PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  await event.parent();
  const [token, members] = await Promise.all([readToken(event), listMembers(event.locals.admin)]);
  const creator = members.find(({ id }) => id === token.created_by);
  return {
    token,
    creator: creator ? { id: creator.id, name: creator.name } : null,
    now: Date.now(),
  };
};

export const actions = {
  revoke: async (event) => {
    const form = await readForm(event.request);
    const { id } = await readToken(event);
    return submitForm(form, async () => {
      await event.locals.admin.call(ADMIN_ROUTES.revokeToken, { token_id: id });
      return { done: 'API token revoked.' };
    });
  },
} satisfies Actions;
