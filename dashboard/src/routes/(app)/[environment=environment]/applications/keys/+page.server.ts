import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { KEY_FILTERS } from '#lib/server/applications/key-filters.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import {
  applicationChoices,
  namesById,
  readApplicationNames,
} from '#lib/server/payments/application-names.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ locals: { admin }, params, url, cookies }) => {
  const { environment } = params;
  const applications = readApplicationNames(admin);
  const list = await loadList(
    { url, cookies },
    {
      part: 'applications',
      filters: KEY_FILTERS,
      options: { application: applications.then((names) => applicationChoices(names)) },
      pageSize: 50,
      call: (page) => admin.call(ADMIN_ROUTES.listTeamKeys, { environment, ...page }),
    },
  );
  return { list, applicationNames: namesById(await applications), now: Date.now() };
};
