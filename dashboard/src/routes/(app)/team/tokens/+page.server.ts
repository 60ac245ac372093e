import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { mayManageTokens } from '#lib/server/tokens/permissions.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;

export const load: PageServerLoad = async ({ locals, parent, url }) => {
  const { me } = await parent();
  const cursor = url.searchParams.get('cursor');
  const page = await locals.admin
    .call(ADMIN_ROUTES.listTokens, { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) })
    .catch((error) => {
      if (isAboutCursor(error)) redirect(303, '/team/tokens');
      throw error;
    });
  return {
    page,
    isFirstPage: cursor === null,
    mayManage: mayManageTokens(me.role),
    adminUrl: locals.adminApiUrl,
    now: Date.now(),
  };
};
