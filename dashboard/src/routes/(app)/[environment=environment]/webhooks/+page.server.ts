import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { applicationFilter } from '#lib/server/applications/application-filter.ts';
import { mayCreateApplications } from '#lib/server/applications/permissions.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { pagePart } from '#lib/server/page-part.ts';
import {
  applicationChoices,
  listApplicationNames,
  namesById,
} from '#lib/server/payments/application-names.ts';
import { mayManageEndpoints } from '#lib/server/webhooks/permissions.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { admin }, cookies, params, parent, url, depends }) => {
  depends(WEBHOOKS_KEY);
  const { environment } = params;
  const applications = pagePart('applications', listApplicationNames(admin));
  const names = applications.then((part) => (part.ok ? part.data : []));
  const list = await loadList(
    { url, cookies },
    {
      part: 'webhooks',
      filters: [applicationFilter],
      options: { application: names.then(applicationChoices) },
      pageSize: 25,
      call: (page) => admin.call(ADMIN_ROUTES.listEndpoints, { environment, ...page }),
    },
  );
  const { me } = await parent();
  return {
    list,
    applicationNames: namesById(await names),
    /** An endpoint requires an application. Unknown counts as true. */
    hasApplication: !(await applications).ok || (await names).some(({ isArchived }) => !isArchived),
    eventTypeCount: PAYMENT_EVENT_TYPES.length,
    flash: takeFlash(cookies, ['endpoint-deleted']),
    may: {
      manage: mayManageEndpoints(me.role, environment),
      createApplication: mayCreateApplications(me.role),
    },
    now: Date.now(),
  };
};
