import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { loadPeople, recordContext } from '#lib/server/audit/record-context.ts';
import { actorOptions, RECORD_FILTERS } from '#lib/server/audit/record-filters.ts';
import { recordRow } from '#lib/server/audit/record-view.ts';
import { loadList } from '#lib/server/list/load-list.ts';
import { applicationChoices } from '#lib/server/payments/application-names.ts';
import type { PageServerLoad } from './$types';

/**
 * The log belongs to the team. Some events, such as sign-ins and invitations, have no environment, so the environment
 * is a filter and not part of the address.
 */
export const load: PageServerLoad = async (event) => {
  const { admin } = event.locals;
  const people = loadPeople(admin);
  const list = await loadList(event, {
    part: 'audit',
    filters: RECORD_FILTERS,
    options: {
      actor: people.then(({ members }) => actorOptions(members)),
      application: people.then(({ applications }) => applicationChoices(applications)),
    },
    pageSize: 50,
    async call(request) {
      const page = await admin.call(auditRoutes.listRecords, request);
      const context = await recordContext(admin, page.data, await people, await event.parent());
      return { ...page, data: page.data.map((record) => recordRow(record, context)) };
    },
  });
  return { list, now: Date.now() };
};
