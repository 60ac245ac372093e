import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { allows } from '#lib/server/access.ts';
import { KEY_FILTERS } from '#lib/server/applications/key-filters.ts';
import { readLastUses } from '#lib/server/applications/read-keys.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { applicationChoices, namesById, readApplications } from '#lib/server/payments/application-names.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const { admin } = event.locals;
  const { environment } = event.params;
  const applications = readApplications(admin);
  const list = await loadList(event, {
    part: 'applications',
    filters: KEY_FILTERS,
    options: { application: applications.then(applicationChoices) },
    pageSize: 50,
    call: (page) => admin.call(ADMIN_ROUTES.listTeamKeys, { environment, ...page }),
  });
  const { me } = await event.parent();
  const keys = list.page.ok ? list.page.data.data : [];
  return {
    list,
    applicationNames: namesById(await applications),
    lastUsed: await readLastUses(
      admin,
      keys.map(({ application_id }) => application_id),
    ),
    mayChange: allows(ADMIN_ROUTES.rotateKey, me.role, environment),
    now: Date.now(),
  };
};
