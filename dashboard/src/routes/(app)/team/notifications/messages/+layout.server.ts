import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { pagePart } from '#lib/server/page-part.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ locals, parent }) => {
  await parent();
  return { templates: await pagePart('messages', locals.admin.call(ADMIN_ROUTES.listMessageTemplates, {})) };
};
