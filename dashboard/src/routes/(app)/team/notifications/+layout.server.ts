import { error } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ locals, parent }) => {
  const { me } = await parent();
  if (roleAllows(ADMIN_ROUTES.getTeamChat.access, me.role, 'live')) return;
  error(403, {
    message:
      'Reading where notices are sent requires the admin or auditor role. Ask an owner or admin of your team.',
    requestId: locals.requestId,
  });
};
