import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { loadList } from '#lib/server/list/load-list.ts';
import { applicationChoices, namesById, readApplications } from '#lib/server/payments/application-names.ts';
import { EVENT_FILTERS } from '#lib/server/webhooks/event-filters.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  event.depends(WEBHOOKS_KEY);
  const { admin } = event.locals;
  const { environment } = event.params;
  const applications = readApplications(admin);
  const list = await loadList(event, {
    part: 'webhooks',
    filters: EVENT_FILTERS,
    options: { application: applications.then(applicationChoices) },
    pageSize: 50,
    call: (page) => admin.call(ADMIN_ROUTES.listEvents, { environment, ...page }),
  });
  return { list, applicationNames: namesById(await applications), now: Date.now() };
};
