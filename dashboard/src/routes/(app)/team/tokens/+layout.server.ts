import { error } from '@sveltejs/kit';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (mayManageTokens(me.role)) return;
  error(403, {
    message: 'API tokens require the admin role. Ask an owner or admin of your team.',
    requestId: locals.requestId,
  });
};
