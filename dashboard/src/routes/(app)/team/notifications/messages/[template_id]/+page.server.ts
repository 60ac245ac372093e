import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { pagePart } from '#lib/server/page-part.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals, params, parent }) => {
  await parent();
  const request = { template_id: params.template_id };
  return { preview: await pagePart('messages', locals.admin.call(ADMIN_ROUTES.previewMessage, request)) };
};
