import { redirect } from '@sveltejs/kit';
import { roleAllows } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import {
  activeKeyFilters,
  KEY_FILTER_NAMES,
  KEY_STATUS_CHOICES,
  keysPath,
  parseKeyFilters,
} from '#lib/server/applications/key-filters.ts';
import { readLastUses } from '#lib/server/applications/last-uses.ts';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { applicationChoices, listApplicationNames } from '#lib/server/payments/application-names.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };

export const load: PageServerLoad = async ({ locals, params: { environment }, url, parent }) => {
  const { admin } = locals;
  const typed = readTyped(KEY_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === '')) redirect(303, keysPath(environment, typed));
  const { request, errors } = parseKeyFilters(typed);
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const [page, applications, { me }] = await Promise.all([
    isValid
      ? admin
          .call(ADMIN_ROUTES.listTeamKeys, {
            environment,
            ...request,
            limit: PAGE_SIZE,
            ...(cursor !== null && { cursor }),
          })
          .catch((error) => {
            if (isAboutCursor(error)) redirect(303, keysPath(environment, typed));
            throw error;
          })
      : NO_PAGE,
    listApplicationNames(admin),
    parent(),
  ]);
  const applicationNames = new Map(applications.map(({ id, name }) => [id, name]));
  return {
    page,
    lastUsed: await readLastUses(
      admin,
      page.data.map((key) => key.application_id),
    ),
    mayChange: roleAllows(ADMIN_ROUTES.rotateKey.access, me.role, environment),
    isFirstPage: cursor === null,
    typed,
    errors,
    filters: activeKeyFilters(typed, { environment, applicationNames }),
    applicationNames: Object.fromEntries(applicationNames),
    choices: {
      statuses: [...KEY_STATUS_CHOICES],
      applications: applicationChoices(applications, typed.application),
    },
    now: Date.now(),
  };
};
