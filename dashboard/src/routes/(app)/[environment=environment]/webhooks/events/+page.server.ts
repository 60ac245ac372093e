import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { applicationChoices, listApplicationNames } from '#lib/server/payments/application-names.ts';
import {
  activeEventFilters,
  EVENT_FILTER_NAMES,
  eventsPath,
  parseEventFilters,
} from '#lib/server/webhooks/event-filters.ts';
import { WEBHOOKS_KEY } from '#lib/webhooks/webhooks-key.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };

export const load: PageServerLoad = async ({ locals, params: { environment }, url, depends }) => {
  depends(WEBHOOKS_KEY);
  const { admin } = locals;
  const typed = readTyped(EVENT_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === '')) redirect(303, eventsPath(environment, typed));
  const { request, errors } = parseEventFilters(typed);
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const [page, applications] = await Promise.all([
    isValid
      ? admin
          .call(ADMIN_ROUTES.listEvents, {
            environment,
            ...request,
            limit: PAGE_SIZE,
            ...(cursor !== null && { cursor }),
          })
          .catch((error) => {
            if (isAboutCursor(error)) redirect(303, eventsPath(environment, typed));
            throw error;
          })
      : NO_PAGE,
    pagePart('applications', listApplicationNames(admin)),
  ]);
  const names = applications.ok ? applications.data : [];
  const applicationNames = new Map(names.map(({ id, name }) => [id, name]));
  return {
    page,
    isFirstPage: cursor === null,
    typed,
    errors,
    filters: activeEventFilters(typed, { environment, applicationNames }),
    applicationNames: Object.fromEntries(applicationNames),
    choices: {
      types: PAYMENT_EVENT_TYPES.map((type) => ({ value: type, label: type })),
      applications: applicationChoices(names, typed.application),
    },
    now: Date.now(),
  };
};
