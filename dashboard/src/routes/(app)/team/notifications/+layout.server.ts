import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { requireAccess } from '#lib/server/access.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ parent }) => {
  const { me } = await parent();
  requireAccess(ADMIN_ROUTES.getTeamChat, 'Reading where notices are sent', me.role);
};
