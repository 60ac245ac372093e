import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { filterValue, hrefWith } from '#lib/list/list-data.ts';
import { allows } from '#lib/server/access.ts';
import { APPLICATION_FILTERS } from '#lib/server/applications/application-filters.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const { admin } = event.locals;
  const list = await loadList(event, {
    part: 'applications',
    filters: APPLICATION_FILTERS,
    pageSize: 25,
    call: (page) => admin.call(ADMIN_ROUTES.listApplications, { status: 'active', ...page }),
  });
  const mayBeFirst = list.page.ok && list.page.data.data.length === 0 && !list.isFiltered && !list.hasErrors;
  const any = mayBeFirst ? await admin.call(ADMIN_ROUTES.listApplications, { limit: 1 }) : null;
  const { me } = await event.parent();
  const status = filterValue(list, 'status') === 'archived' ? 'archived' : 'active';
  const tab = (label: string, value: '' | 'archived') => ({
    label,
    href: hrefWith(list, { status: value }),
    isCurrent: status === (value || 'active'),
  });
  return {
    list,
    status,
    tabs: [tab('Active', ''), tab('Archived', 'archived')],
    /** The team has no application, not even an archived one. */
    isFirst: any?.data.length === 0,
    mayCreate: allows(ADMIN_ROUTES.createApplication, me.role),
    flash: takeFlash(event.cookies, ['application-deleted']),
    now: Date.now(),
  };
};
