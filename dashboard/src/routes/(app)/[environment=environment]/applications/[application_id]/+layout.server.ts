import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { applicationPermissions } from '#lib/server/applications/permissions.ts';
import type { LayoutServerLoad } from './$types';

/** Data of every page of one application: the application, and the member's permissions on it. */
export const load: LayoutServerLoad = async ({ locals, params, parent }) => {
  const { application_id, environment } = params;
  const [application, liveKeys, { me }] = await Promise.all([
    locals.admin.call(ADMIN_ROUTES.getApplication, { application_id }),
    locals.admin.call(ADMIN_ROUTES.listKeys, {
      application_id,
      environment: 'live',
      status: 'active',
      limit: 1,
    }),
    parent(),
  ]);
  const hasLiveKeys = liveKeys.data.length > 0;
  return {
    application,
    hasLiveKeys,
    may: applicationPermissions(me.role, { environment, hasLiveKeys }),
  };
};
