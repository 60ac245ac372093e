import { redirect } from '@sveltejs/kit';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { USAGE_OPERATIONS } from '@tollgate/contracts/usage/usage';
import { REQUESTS_KEY } from '#lib/requests/requests-key.ts';
import { readTyped } from '#lib/server/filters/typed-filters.ts';
import { isAboutCursor } from '#lib/server/is-about-cursor.ts';
import { pagePart } from '#lib/server/page-part.ts';
import { applicationChoices, listApplicationNames } from '#lib/server/payments/application-names.ts';
import {
  activeRequestFilters,
  parseRequestFilters,
  REQUEST_FILTER_NAMES,
  requestsPath,
} from '#lib/server/requests/request-filters.ts';
import { readTimeZone, TIME_ZONE_COOKIE } from '#lib/server/time-zone.ts';
import { OPERATION_LABELS } from '#lib/usage/usage-labels.ts';
import type { PageServerLoad } from './$types';

const PAGE_SIZE = 50;
const NO_PAGE = { data: [], next_cursor: null, previous_cursor: null };
const STATUSES = [
  { value: '2xx', label: '2xx: succeeded' },
  { value: '4xx', label: '4xx: rejected' },
  { value: '5xx', label: '5xx: failed' },
  { value: 'aborted', label: 'Aborted by the client' },
  ...['400', '401', '403', '404', '409', '422', '429'].map((status) => ({ value: status, label: status })),
];

export const load: PageServerLoad = async ({ locals, params: { environment }, url, cookies, depends }) => {
  depends(REQUESTS_KEY);
  const { admin } = locals;
  const typed = readTyped(REQUEST_FILTER_NAMES, url.searchParams);
  // A form also submits empty fields. The redirect removes them from the address.
  if (url.searchParams.values().some((value) => value === ''))
    redirect(303, requestsPath(environment, typed));
  const { request, errors } = parseRequestFilters(typed, readTimeZone(cookies.get(TIME_ZONE_COOKIE)));
  const cursor = url.searchParams.get('cursor');
  const isValid = Object.keys(errors).length === 0;

  const loading = isValid
    ? admin.call(ADMIN_ROUTES.listRequests, {
        environment,
        ...request,
        limit: PAGE_SIZE,
        ...(cursor !== null && { cursor }),
      })
    : Promise.resolve(NO_PAGE);
  const [page, applications] = await Promise.all([
    pagePart('requests', loading).catch((error) => {
      if (isAboutCursor(error)) redirect(303, requestsPath(environment, typed));
      throw error;
    }),
    pagePart('applications', listApplicationNames(admin)),
  ]);
  const names = applications.ok ? applications.data : [];
  const applicationNames = new Map(names.map(({ id, name }) => [id, name]));
  return {
    page,
    isFirstPage: cursor === null,
    typed,
    errors,
    filters: activeRequestFilters(typed, { environment, applicationNames }),
    choices: {
      statuses: STATUSES,
      operations: USAGE_OPERATIONS.map((name) => ({ value: name, label: OPERATION_LABELS[name] })),
      applications: applicationChoices(names, typed.application),
    },
    now: Date.now(),
  };
};
