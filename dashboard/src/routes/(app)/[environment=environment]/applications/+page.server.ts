import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import {
  APPLICATION_FILTER_NAMES,
  activeApplicationFilters,
  applicationsPath,
  parseApplicationFilters,
} from '#lib/server/applications/application-filters.ts';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 25;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };

export const load: PageServerLoad = async ({ locals, params: { environment }, parent, url, cookies }) => {
  const { admin } = locals;
  const typed = readTyped(APPLICATION_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === ''))
    redirect(303, applicationsPath(environment, typed));
  const { request, errors } = parseApplicationFilters(typed);
  const status = typed.status === 'archived' ? 'archived' : 'active';
  const cursor = url.searchParams.get('cursor');

  const page =
    Object.keys(errors).length === 0
      ? await admin
          .call(ADMIN_ROUTES.listApplications, {
            ...request,
            status,
            limit: PAGE_SIZE,
            ...(cursor !== null && { cursor }),
          })
          .catch((error) => {
            if (isAboutCursor(error)) redirect(303, applicationsPath(environment, typed));
            throw error;
          })
      : NO_PAGE;
  const filters = activeApplicationFilters(typed, environment);
  const mayBeFirst = page.data.length === 0 && filters.length === 0;
  const any = mayBeFirst ? await admin.call(ADMIN_ROUTES.listApplications, { limit: 1 }) : null;
  const { me } = await parent();
  return {
    status,
    applications: page.data,
    nextCursor: page.next_cursor,
    previousCursor: page.previous_cursor,
    typed,
    errors,
    filters,
    tabs: [
      {
        label: 'Active',
        href: applicationsPath(environment, { ...typed, status: '' }),
        isCurrent: status === 'active',
      },
      {
        label: 'Archived',
        href: applicationsPath(environment, { ...typed, status: 'archived' }),
        isCurrent: status === 'archived',
      },
    ],
    /** The team has no application, not even an archived one. */
    isFirst: any?.data.length === 0,
    mayCreate: mayCreateApplications(me.role),
    flash: takeFlash(cookies, ['application-deleted']),
  };
};
