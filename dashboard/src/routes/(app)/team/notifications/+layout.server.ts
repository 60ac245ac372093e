import { error } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (roleAllows(ADMIN_ROUTES.setTeamChat.access, me.role, 'live')) return;
  error(403, {
    message: 'Changing where notices are sent requires the admin role. Ask an owner or admin of your team.',
    requestId: locals.requestId,
  });
};
