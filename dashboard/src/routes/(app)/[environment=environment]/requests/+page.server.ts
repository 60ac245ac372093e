import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { REQUESTS_KEY } from '#lib/requests/requests-key.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { applicationChoices, readApplications } from '#lib/server/payments/application-names.ts';
import { nameKeys } from '#lib/server/requests/name-keys.ts';
import { REQUEST_FILTERS } from '#lib/server/requests/request-filters.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  event.depends(REQUESTS_KEY);
  const { admin } = event.locals;
  const { environment } = event.params;
  const list = await loadList(event, {
    part: 'requests',
    filters: REQUEST_FILTERS,
    options: { application: readApplications(admin).then(applicationChoices) },
    pageSize: 50,
    call: async (page) => {
      const requests = await admin.call(ADMIN_ROUTES.listRequests, { environment, ...page });
      return { ...requests, data: await nameKeys(admin, requests.data) };
    },
  });
  return { list, now: Date.now() };
};
