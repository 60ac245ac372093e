import { redirect } from '@sveltejs/kit';
import { auditRoutes } from '@tollgate/contracts/admin-api/audit-routes';
import { choiceLabels, recordChoices } from '#lib/server/audit/record-choices.ts';
import { loadPeople, recordContext } from '#lib/server/audit/record-context.ts';
import {
  activeRecordFilters,
  parseRecordFilters,
  RECORD_FILTER_NAMES,
  recordsPath,
} from '#lib/server/audit/record-filters.ts';
import { recordRow } from '#lib/server/audit/record-view.ts';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };

/**
 * The log belongs to the team. Some events, such as sign-ins and invitations, have no environment, so the environment
 * is a filter and not part of the address.
 */
export const load: PageServerLoad = async ({ locals, parent, url, cookies }) => {
  const typed = readTyped(RECORD_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === '')) redirect(303, recordsPath(typed));
  const { request, errors } = parseRecordFilters(typed, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const [page, people, { environment, me }] = await Promise.all([
    pagePart(
      'audit',
      isValid
        ? locals.admin
            .call(auditRoutes.listRecords, {
              ...request,
              limit: PAGE_SIZE,
              ...(cursor !== null && { cursor }),
            })
            .catch((error) => {
              if (isAboutCursor(error)) redirect(303, recordsPath(typed));
              throw error;
            })
        : Promise.resolve(NO_PAGE),
    ),
    loadPeople(locals.admin),
    parent(),
  ]);
  const choices = recordChoices(typed, people);
  const context = await recordContext(locals.admin, page.ok ? page.data.data : [], people, {
    environment,
    role: me.role,
  });
  return {
    page: page.ok
      ? {
          ok: true as const,
          records: page.data.data.map((record) => recordRow(record, context)),
          nextCursor: page.data.next_cursor,
          previousCursor: page.data.previous_cursor,
        }
      : page,
    isFirstPage: cursor === null,
    typed,
    errors,
    filters: activeRecordFilters(typed, choiceLabels(choices)),
    choices,
    now: Date.now(),
  };
};
