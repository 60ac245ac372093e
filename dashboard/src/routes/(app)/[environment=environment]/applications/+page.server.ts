import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { isAboutCursor } from '#lib/server/admin-problem.ts';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 25;

export const load: PageServerLoad = async ({ locals, parent, url }) => {
  const status = url.searchParams.get('status') === 'archived' ? 'archived' : 'active';
  const cursor = url.searchParams.get('cursor');
  const list = (request: { status: 'active' | 'archived'; limit: number; cursor?: string }) =>
    locals.admin.call(ADMIN_ROUTES.listApplications, request);

  const page = await list({ status, limit: PAGE_SIZE, ...(cursor !== null && { cursor }) }).catch((error) => {
    if (isAboutCursor(error)) redirect(303, `${url.pathname}?status=${status}`);
    throw error;
  });
  const isEmpty = page.data.length === 0;
  const others = isEmpty
    ? await list({ status: status === 'active' ? 'archived' : 'active', limit: 1 })
    : null;
  const { me } = await parent();
  return {
    status,
    applications: page.data,
    nextCursor: page.next_cursor,
    previousCursor: page.previous_cursor,
    /** The team has no application, not even an archived one. */
    isFirst: others?.data.length === 0,
    mayCreate: mayCreateApplications(me.role),
  };
};
