import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { startOver } from '#lib/server/start-over.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;

export const load: PageServerLoad = async ({ locals, parent, url }) => {
  const { me } = await parent();
  const cursor = url.searchParams.get('cursor') ?? undefined;
  const page = await locals.admin
    .call(ADMIN_ROUTES.listTokens, { limit: PAGE_SIZE, cursor })
    .catch(startOver('/team/tokens'));
  return {
    page,
    isFirstPage: cursor === undefined,
    mayManage: allows(ADMIN_ROUTES.createToken, me.role),
    adminUrl: locals.adminApiUrl,
    now: Date.now(),
  };
};
