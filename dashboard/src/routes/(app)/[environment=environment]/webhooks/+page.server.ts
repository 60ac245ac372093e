import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { allows } from '#lib/server/access.ts';
import { takeFlash } from '#lib/server/flash.ts';
import { applicationFilter } from '#lib/server/list/filter.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { orNull } from '#lib/server/or-null.ts';
import {
  applicationChoices,
  isArchived,
  listApplications,
  namesById,
} from '#lib/server/payments/application-names.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  event.depends(WEBHOOKS_KEY);
  const { admin } = event.locals;
  const { environment } = event.params;
  const applications = orNull(listApplications(admin));
  const names = applications.then((found) => found ?? []);
  const list = await loadList(event, {
    part: 'webhooks',
    filters: [applicationFilter],
    options: { application: names.then(applicationChoices) },
    pageSize: 25,
    call: (page) => admin.call(ADMIN_ROUTES.listEndpoints, { environment, ...page }),
  });
  const { me } = await event.parent();
  return {
    list,
    applicationNames: namesById(await names),
    /** An endpoint requires an application. Unknown counts as true. */
    hasApplication: (await applications)?.some((application) => !isArchived(application)) ?? true,
    eventTypeCount: PAYMENT_EVENT_TYPES.length,
    flash: takeFlash(event.cookies, ['endpoint-deleted']),
    may: {
      manage: allows(ADMIN_ROUTES.createEndpoint, me.role, environment),
      createApplication: allows(ADMIN_ROUTES.createApplication, me.role),
    },
    now: Date.now(),
  };
};
